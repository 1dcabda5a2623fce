#!/usr/bin/env bash
# A newcomer's first hour: references as raw text, from nothing to fields in a table, a report and a playground.
#
# Usage: examples/first_hour.sh [FOLDER]    (by default build/first_hour; what it makes is left there)
# `make first-hour` sets up what it needs and runs it. PYTHON and LAWFUL name the interpreter and the command;
# else they are those of the clone's .venv, or those on the path.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
[ -x "$root/.venv/bin/lawful" ] && PATH="$root/.venv/bin:$PATH"
python=${PYTHON:-python3}
lawful=${LAWFUL:-lawful}
if ! "$python" -c "import lawful, starlette, uvicorn" 2>/dev/null; then
    echo "This needs lawful with its playground: run 'make first-hour' in a clone, or pip install '.[serve]' there" >&2
    exit 2
fi
folder=${1:-$root/build/first_hour}
mkdir -p "$folder"
cd "$folder"

echo "--- What a newcomer has: 30 references labelled by hand, and a file of texts, one reference a line"
"$python" - <<'PYTHON'
import re
from pathlib import Path

import lawful
from lawful.tasks import generate_citations


def spelled(tokens):
    """The tokens as people write them: no blank before a comma or inside brackets."""
    text = re.sub(r" ([,.;:)])", r"\1", " ".join(tokens))
    return re.sub(r"([(]) ", r"\1", text)


references = generate_citations(230, seed=7)
lawful.write_corpus(references[:30], "gold.conll")
lawful.write_corpus(references[180:], "test.conll")
Path("texts.txt").write_text("".join(f"{spelled(one.tokens)}\n" for one in references[30:180]))
PYTHON
sed -n 2p texts.txt

echo
echo "--- Train: with so little data, folds choose between a CRF, an HMM and their blend"
"$lawful" train gold.conll -o model.lawful

echo
echo "--- Which rules does the data obey? All of them are in mined.toml, with their evidence; the first:"
"$lawful" mine gold.conll -o mined.toml | sed -n 1,4p

echo
echo "--- Rules that every librarian knows, in rules.toml; do they contradict each other, and do the labels obey them?"
cat > rules.toml <<'TOML'
[[rule]]
name = "one title"
kind = "at_most_segments"
n = 1
labels = "title"

[[rule]]
name = "author or editor first"
kind = "starts_with"
labels = ["author", "editor"]

[[rule]]
name = "fields end at punctuation"
kind = "change_only_after"
test = { matches = '[^\w\s]+' }
price = 3.0
per = "violation"
TOML
"$lawful" check -r rules.toml --model model.lawful
"$lawful" lint gold.conll -r rules.toml --examples 1 | sed -n '/^fields/,/^$/p'

echo "--- How good is it? Each fifth of the labelled references, by a model trained on the others, without and with rules"
"$lawful" evaluate gold.conll --folds 5 --model model.lawful --rules rules.toml | sed -n '/^span F1/p'

echo
echo "--- Text in, fields out: a row for each text, a column for each field, its characters and its probability"
"$lawful" decode texts.txt -m model.lawful -r rules.toml --to fields --confidence -o fields.csv
"$python" -c '
import csv
row = list(csv.DictReader(open("fields.csv")))[1]
for name, value in row.items():
    if value and name != "text":
        print(f"    {name:24}{value}")'

echo
echo "--- Few labels, many texts: a second model learns from the texts without labels too, guided by the rules"
"$lawful" train gold.conll --unlabelled texts.txt --rules rules.toml --rounds 2 -o guided.lawful

echo
echo "--- Did it help? On 50 references that nothing was trained on: the first model alone, under rules, and the second under rules"
"$lawful" decode test.conll -m model.lawful -o plain.conll
"$lawful" decode test.conll -m model.lawful -r rules.toml -o ruled.conll
"$lawful" decode test.conll -m guided.lawful -r rules.toml -o guided.conll
for name in plain ruled guided; do
    "$lawful" evaluate test.conll $name.conll | awk -v name=$name '/^token/ { tokens = $3 } /^micro/ { print "    " name ": span F1 " $4 ", tokens " tokens }'
done

echo
echo "--- Why? The first reference that the rules changed"
"$lawful" explain test.conll -m model.lawful -r rules.toml --most 1

echo
echo "--- All of it on one page"
"$lawful" report test.conll -m model.lawful -r rules.toml -o report.html

echo
echo "--- The playground: type a text, switch rules, see the labels follow; here a program asks it"
"$lawful" serve -m model.lawful -r rules.toml --no-open > serve.txt &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
"$python" - <<'PYTHON'
import json
import time
import urllib.request
from pathlib import Path

import lawful

for _ in range(600):
    words = Path("serve.txt").read_text().split()
    if len(words) > 1:
        break
    time.sleep(0.1)
text = Path("texts.txt").read_text().splitlines()[0]
asked = urllib.request.Request(
    words[1] + "decode", json.dumps({"text": text}).encode(), {"Content-Type": "application/json"}
)
answer = json.load(urllib.request.urlopen(asked, timeout=60))
model = lawful.load_model("model.lawful")
assert answer["labels"] == model.predict([text], "rules.toml")[0], "the playground answers otherwise"
print(f"the playground labels {len(answer['tokens'])} tokens as `lawful decode` does")
PYTHON

echo
echo "--- Done: model.lawful, rules.toml, fields.csv and report.html are in $folder. To see the playground there:"
echo "    lawful serve test.conll -m model.lawful -r rules.toml"

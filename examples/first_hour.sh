#!/usr/bin/env bash
# A newcomer's first hour: references as raw text, from nothing to fields in a table, a report and a playground.
#
# Usage: examples/first_hour.sh [FOLDER]    (by default build/first_hour; what it makes is left there)
# PYTHON and LAWFUL name the interpreter and the command, if they are not on the path.
set -euo pipefail

folder=${1:-build/first_hour}
python=${PYTHON:-python}
lawful=${LAWFUL:-lawful}
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
sed -n 1,2p texts.txt

echo "--- Train: what suits so little data is chosen by folds"
"$lawful" train gold.conll -o model.lawful

echo "--- How good is it? Each fifth is labelled by a model that was trained on the others"
"$lawful" evaluate gold.conll --folds 5 --kind hmm | sed -n 1,3p

echo "--- Rules: those that the data obeys, to be read and edited; here, what every librarian knows"
"$lawful" mine gold.conll -o mined.toml > mined.txt
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
"$lawful" lint gold.conll -r rules.toml --examples 0 > lint.txt

echo "--- Few labels, many texts: the rules guide what is learned from the texts without labels"
"$lawful" train gold.conll --unlabelled texts.txt --rules rules.toml --rounds 2 -o guided.lawful

echo "--- Text in, fields out: a column for each field, with its characters and its probability"
"$lawful" decode texts.txt -m model.lawful -r rules.toml --to fields --confidence -o fields.csv
sed -n 1p fields.csv | cut -c 1-100
"$lawful" decode texts.txt -m model.lawful -r rules.toml --to fields | sed -n 1p | cut -c 1-200

echo "--- Why?"
"$lawful" explain -m model.lawful -r rules.toml --text "Lee, A. (1999). On rules. Journal of Data Engineering, 27, pages 309-996."

echo "--- Did the rules help? On references that nothing was trained on"
"$lawful" decode test.conll -m model.lawful -o plain.conll
"$lawful" decode test.conll -m model.lawful -r rules.toml -o ruled.conll
"$lawful" evaluate test.conll plain.conll --compare ruled.conll | sed -n '1,3p;/against/,$p'
"$lawful" report test.conll -m model.lawful -r rules.toml -o report.html

echo "--- The playground: it cuts a text as everything above did"
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
print(f"the playground labels {len(answer['tokens'])} tokens as predict does")
PYTHON
echo "--- Done: model.lawful, rules.toml, fields.csv and report.html are in $folder"

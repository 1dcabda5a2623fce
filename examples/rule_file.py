"""Rules in a file: read, explained in English, checked, used, changed and written again."""

from pathlib import Path

import lawful

Path("rules.toml").write_text(r"""
labels = ["O", "Number", "Street", "City", "Zip"]

[groups]
place = ["City", "Zip"]

[[rule]]
name = "one street"
kind = "at_most_segments"
n = 1
labels = "Street"

[[rule]]
kind = "before"
a = ["Number", "Street"]
b = "@place"

[[rule]]
name = "five digits are a zip"
kind = "when"
test = { matches = '\d{5}' }
then = "Zip"
price = 1.5
""")
rules = lawful.read_rules("rules.toml")
for rule in rules:
    print("-", lawful.describe(rule))
labels = lawful.LabelSet(["O", "Number", "Street", "City", "Zip"])
print(lawful.check(rules, labels))

lawful.write_rules([*rules, lawful.ends_with("Zip").soft(0.5)], "more.toml", labels=labels)
print("\n".join(Path("more.toml").read_text().splitlines()[-4:]))
try:
    lawful.rules.files.parse_rules('[[rule]]\nkind = "befor"\na = "A"\nb = "B"\n', "typo.toml")
except lawful.errors.RuleFileError as error:
    print(error)
# prints:
# - There is at most one segment of Street; this must hold.
# - No Number or Street comes after any City or Zip; this must hold.
# - A token that matches '\d{5}' is labelled Zip; breaking this costs 1.5.
# no contradiction; a sequence that obeys all hard rules: O
# unused: no rule names 'O'
# sizes: 3 rules; the largest machine has 3 states
# [[rule]]
# kind = "ends_with"
# labels = "Zip"
# price = 0.5
# typo.toml, line 2, rule 1, key 'kind': unknown kind of rule 'befor'; did you mean 'before'?

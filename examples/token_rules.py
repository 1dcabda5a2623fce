"""Rules that look at tokens: word lists, regular expressions, columns, your own functions, and logic over them."""

import lawful
from lawful import token

labels = lawful.LabelSet(["O", "Name", "Date", "Place"])
months = token.is_in(["January", "May", "June"])
year = token.matches(r"(19|20)\d\d")
proper = token.column("pos", "NNP") & ~months  # tokens may be strings, rows or mappings of columns
shouted = token.test(lambda row: row["text"].isupper())

rules = lawful.Rules(
    lawful.when(year).then("Date"),
    lawful.when(months).then("Date", "Name").named("May may be a name"),
    lawful.when(proper).never("O", "Date"),
    lawful.when(shouted).then("Place").soft(0.5),
    lawful.change_only_after(token.matches(r"\W")).soft(0.3, per="violation", name="stay until a comma"),
)
words = ["May", "met", "Ann", ",", "in", "ROME", ",", "May", "1999"]
pos = ["NNP", "VBD", "NNP", ",", "IN", "NNP", ",", "NNP", "CD"]
rows = [{"text": word, "pos": tag} for word, tag in zip(words, pos, strict=True)]
flat = lawful.Lattice([[0.1, 0.0, 0.0, 0.0]] * len(rows), labels=labels, tokens=rows)  # a tagger with no idea

best = lawful.decode(flat, rules)
print(*(f"{word}/{label}" for word, label in zip(words, best.labels, strict=True)))
for rule in rules:
    print(f"{best.violations[rule.name]} x  {lawful.describe(rule)}")
# prints:
# May/Name met/Name Ann/Name ,/Name in/Place ROME/Place ,/Place May/Date 1999/Date
# 0 x  A token that matches '(19|20)\d\d' is labelled Date; this must hold.
# 0 x  A token that is 'January', 'June' or 'May' is labelled Date or Name; this must hold.
# 0 x  A token that has 'NNP' in column 'pos' and (is not 'January', 'June' or 'May') is never labelled O or Date; this must hold.
# 0 x  A token that passes the test <lambda> is labelled Place; breaking this costs 0.5.
# 0 x  The label changes only after a token that matches '\W'; each violation costs 0.3.

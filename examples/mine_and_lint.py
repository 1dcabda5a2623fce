"""Rules out of labelled data, and labelled data held against rules."""

import lawful
from lawful.tasks import generate_citations

gold = generate_citations(150, seed=1)
mined = lawful.mine(gold, families=["once", "ends", "order"])
for one in mined.found[:6]:
    kind = "hard" if one.rule.price == "hard" else f"{one.rule.price:.1f}"
    print(f"{kind:5} {one.rule.code().split('.soft')[0]:32} {one.mined}; held out: {one.held_out}")

rules = lawful.Rules(
    lawful.at_most_segments(1, "date").named("one date"),
    lawful.change_only_after(lawful.token.matches(r"\W+")).named("punctuation"),
    lawful.ends_with("pages").named("pages last"),
)
found = lawful.lint(rules, gold)
print()
for one in found.rules:
    print(f"{one.advice}: {one.rule.name} ({one.reason}), price {one.price:.2f}")
name, breach = found.suspicious[0]
print(f"suspicious: {breach.place} breaks {name}: {breach.excerpt}")
# prints:
# hard  at_most_segments(1, 'author')    no exceptions in 109 sequences with it; held out: no exceptions in 37 sequences with it
# 4.9   at_most_segments(1, 'booktitle') no exceptions in 47 sequences with it; held out: no exceptions in 19 sequences with it
# 4.6   at_most_segments(1, 'date')      1 exception in 108 sequences with it; held out: no exceptions in 37 sequences with it
# 4.5   at_most_segments(1, 'journal')   no exceptions in 36 sequences with it; held out: no exceptions in 10 sequences with it
# 4.6   at_most_segments(1, 'location')  no exceptions in 34 sequences with it; held out: no exceptions in 13 sequences with it
# 4.9   at_most_segments(1, 'pages')     no exceptions in 52 sequences with it; held out: no exceptions in 16 sequences with it
#
# soft: one date (1 of 150 sequences break it), price 4.60
# soft: punctuation (4 of 150 sequences break it), price 3.48
# drop: pages last (118 of 150 sequences break it: keeping it is no more likely than breaking it), price 0.00
# suspicious: sequence 67, token 43 breaks one date: ... Elsevier/publisher ./publisher August/date 1983/date ./date

"""Mine rules from labelled data, and check rules against labelled data."""

import lawful
from lawful.tasks import generate_citations

gold = generate_citations(150, seed=1)
mined = lawful.mine(gold, families=["once", "ends", "order"])
for proposal in mined.found[:6]:
    price = "hard" if proposal.rule.price == "hard" else f"{proposal.rule.price:.1f}"
    code = proposal.rule.code().split(".soft")[0]
    print(f"{price:5} {code:32} {proposal.mined}; held out: {proposal.held_out}")

rules = lawful.Rules(
    lawful.at_most_segments(1, "date").named("one date"),
    lawful.change_only_after(lawful.token.matches(r"\W+")).named("punctuation"),
    lawful.ends_with("pages").named("pages last"),
)
linted = lawful.lint(rules, gold)
print()
for verdict in linted.rules:
    print(f"{verdict.advice}: {verdict.rule.name} ({verdict.reason}), price {verdict.price:.2f}")
name, breach = linted.suspicious[0]
print(f"suspicious: {breach.place} breaks {name}: {breach.excerpt}")
# prints:
# hard  at_most_segments(1, 'author')    no exceptions in 109 sequences with it; held out: no exceptions in 37 sequences with it
# 4.9   at_most_segments(1, 'booktitle') no exceptions in 47 sequences with it; held out: no exceptions in 19 sequences with it
# 4.6   at_most_segments(1, 'date')      1 exception in 108 sequences with it; held out: no exceptions in 37 sequences with it
# 4.5   at_most_segments(1, 'journal')   no exceptions in 36 sequences with it; held out: no exceptions in 10 sequences with it
# 4.5   at_most_segments(1, 'location')  no exceptions in 34 sequences with it; held out: no exceptions in 13 sequences with it
# 4.9   at_most_segments(1, 'pages')     no exceptions in 52 sequences with it; held out: no exceptions in 16 sequences with it
#
# soft: one date (1 of 150 sequences breaks it), price 4.60
# soft: punctuation (4 of 150 sequences break it), price 3.48
# drop: pages last (118 of 150 sequences break it: keeping it is no more likely than breaking it), price 0.00
# suspicious: sequence 68, token 43 breaks one date: ... Elsevier/publisher ./publisher August/date 1983/date ./date

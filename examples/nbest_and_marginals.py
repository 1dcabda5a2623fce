"""How sure is it? Runners-up, probabilities and samples, all under the rules and exact."""

import lawful

labels = lawful.LabelSet(["O", "Name", "City"])
tokens = ["Paris", "Hilton", "in", "Paris"]
scores = [[0, 1.2, 1.0], [0, 1.5, 0.8], [2.0, 0, 0], [0, 0.9, 1.1]]
lattice = lawful.Lattice(scores, labels=labels, tokens=tokens)
rules = lawful.Rules(
    lawful.exactly_segments(1, "Name"), lawful.same_label([(0, 3)]).soft(0.4, name="same word")
)

for names, score in lawful.nbest(lattice, rules, n=3):
    print(f"{score:.2f}", *names)

sure = lawful.marginals(lattice, rules)
print("Paris Hilton is a name:", f"{sure.span(0, 2, 'Name'):.2f}")
for token, row in zip(tokens, sure.labels, strict=True):
    print(f"{token:7}", *(f"{label} {p:.2f}" for label, p in zip(labels, row, strict=True)))
print(lawful.decoding.count_legal(lattice, rules), "labellings are legal, of", len(labels) ** len(tokens))
print(
    "samples:",
    *(" ".join(labels) for labels in lawful.decoding.sample(lattice, rules, n=2, seed=1)),
    sep="\n  ",
)
# prints:
# 5.60 City Name O City
# 5.40 Name Name O City
# 4.70 Name City O City
# Paris Hilton is a name: 0.28
# Paris   O 0.13 Name 0.45 City 0.42
# Hilton  O 0.10 Name 0.68 City 0.22
# in      O 0.75 Name 0.15 City 0.10
# Paris   O 0.19 Name 0.17 City 0.63
# 49 labellings are legal, of 81
# samples:
#   Name City O City
#   Name City O City

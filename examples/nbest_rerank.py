"""A black box that gives only a list of answers with probabilities: rules choose among them."""

import lawful

tokens = ["12", "Main", "St", "Main", "OR", "97475"]
answers = [  # from an API, a beam search, a language model, ...
    ("Number Street Street Street State Zip", 0.41),
    ("Number Street Street City State Number", 0.22),
    ("Number Street Street City State Zip", 0.19),
    ("Number Street City City State Zip", 0.11),
]
lattice = lawful.from_nbest(
    [(labels.split(), probability) for labels, probability in answers], scores="probability", tokens=tokens
)
rules = lawful.Rules(
    lawful.at_least(1, "City"),
    *(lawful.at_most_segments(1, label) for label in ("Number", "Street", "City", "Zip")),
)
best = lawful.decode(lattice, rules)
print("first:", *best.plain_labels)
print("best: ", *best.labels)
print(f"{best.status}; the first one breaks {rules.names[0]}; loss {best.loss:.3f}")
chances = lawful.marginals(lattice, rules)
print("St is", *(f"{label} {chances.window(2, [label]):.2f}" for label in ("Street", "City")))
# prints:
# first: Number Street Street Street State Zip
# best:  Number Street Street City State Zip
# optimal; the first one breaks at_least(1, 'City'); loss 0.769
# St is Street 0.63 City 0.37

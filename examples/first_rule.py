"""A first rule: the best labels that keep it, what changed, and what that cost."""

import lawful

labels = lawful.LabelSet(["Number", "Street", "City", "Zip"])
tokens = ["12", "Main", "Street", "Springfield", "Main", "97475"]
scores = [  # what a tagger says: (tokens, labels), larger is better
    [3.0, 0.0, 0.0, 0.5],
    [0.0, 2.0, 0.5, 0.0],
    [0.0, 3.0, 0.0, 0.0],
    [0.0, 0.5, 2.0, 0.0],
    [0.0, 1.5, 1.0, 0.0],
    [1.0, 0.0, 0.0, 2.0],
]
lattice = lawful.Lattice(scores, labels=labels, tokens=tokens)
one_street = lawful.at_most_segments(1, "Street")  # a segment is a run of one label

best = lawful.decode(lattice, one_street)
print("without:", *best.plain_labels)
print("with:   ", *best.labels)
print(f"{best.status}: the best of all that keep the rule; it gave up {best.loss} of score")
print("changed:", [tokens[t] for t in best.changed])
# prints:
# without: Number Street Street City Street Zip
# with:    Number Street Street City City Zip
# optimal: the best of all that keep the rule; it gave up 0.5 of score
# changed: ['Main']

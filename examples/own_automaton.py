"""A rule of your own as a machine: brackets are closed before the next one opens, and each open one at the end counts."""

import lawful
from lawful.automata import CountingMachine
from lawful.automata.drawing.formats import to_svg

# Classes: 0 any other label, 1 OPEN, 2 CLOSE. States: 0 outside, 1 inside.
machine = CountingMachine.from_lists(
    [[0, 1, 0], [1, 1, 0]],  # where each class leads, from each state
    [[0, 0, 1], [0, 1, 0]],  # what that counts: CLOSE outside, OPEN inside
    [0, 1],  # what ending there counts
)
labels = lawful.LabelSet(["O", "OPEN", "CLOSE"])
balanced = lawful.automaton(machine, classes={"O": 0, "OPEN": 1, "CLOSE": 2}).named("balanced")

tokens = ["see", "{", "the", "{", "note", "}"]
scores = [[2, 0, 0], [0, 3, 0], [2, 0, 0.5], [0, 2, 1.8], [2, 0, 0], [0.5, 0, 3]]
lattice = lawful.Lattice(scores, labels=labels, tokens=tokens)
for rule in (balanced, balanced.soft(0.1), (~balanced).named("unbalanced")):
    best = lawful.decode(lattice, rule)
    print(f"{rule.name:12} {rule.price!s:5}", *best.labels)

print(lawful.check([balanced, lawful.at_least(1, "OPEN"), lawful.forbid("CLOSE")], labels))
print(to_svg(machine, class_names=["other", "OPEN", "CLOSE"])[:4], "... is a picture of it")
# prints:
# balanced     hard  O OPEN CLOSE OPEN O CLOSE
# balanced     0.1   O OPEN O OPEN O CLOSE
# unbalanced   hard  O OPEN O OPEN O CLOSE
# contradiction: 'balanced', "at_least(1, 'OPEN')", "forbid('CLOSE')" cannot all hold, whatever the sequence
# sizes: 3 rules; the largest machine has 2 states
# <svg ... is a picture of it

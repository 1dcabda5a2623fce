"""Why did it choose that? Which rules forced a change, what each costs, and why another answer loses."""

import lawful

labels = lawful.LabelSet(["Number", "Street", "City", "Zip"])
lattice = lawful.Lattice(
    [[3.0, 0, 0, 1], [0, 2, 0.5, 0], [0, 1.2, 0.8, 0], [2.1, 0, 0, 1.8]],
    labels=labels,
    tokens=["12", "Main", "Salem", "97301"],
)
rules = lawful.Rules(
    *(lawful.at_most_segments(1, label).named(f"one {label}") for label in labels),
    lawful.requires("Zip", "City").named("a zip needs a city"),
)
why = lawful.explain(lattice, rules, runners_up=1)
print(why)
print()
print(why.why_not(["Number", "Street", "Street", "Zip"]))
print()
print(lawful.verify(why.decoding, solver="ilp"))
# prints:
# 2 of 4 tokens changed; the score fell by 0.7, from 8.3 to 7.6; proved best
#
#      token  before      after
#   0  12     Number
#   1  Main   Street
#   2  Salem  Street  ->  City   because of one Number + a zip needs a city
#   3  97301  Number  ->  Zip    because of one Number
#
# dropping one rule would regain
#   0.7  one Number
#   0.4  a zip needs a city
#     0  any of the others
#
# runners-up
#   1.1 behind  1 'Main' Street -> City, 2 'Salem' City -> Street
#
# these labels break a hard rule
#
#      token  answer      proposed
#   0  12     Number
#   1  Main   Street
#   2  Salem  City    ->  Street
#   3  97301  Zip
#
#                       answer  proposed
#   lattice                7.6       8.0
#   a zip needs a city              hard  broken once
#   score                  7.6      -inf
#
# proved: no label sequence scores more than this one
#
#   claimed     7.6  by auto
#   recomputed  7.6  path score and the rules' reference meaning
#   bound       7.6  by ilp

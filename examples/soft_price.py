"""A soft rule has a price: it is broken where the scores pay for that, once or for each violation."""

import lawful

labels = lawful.LabelSet(["title", "date"])
tokens = ["Since", "1949", ":", "1984", "and", "2001"]
scores = [[2, 0], [0, 1.0], [2, 0], [0, 1.5], [2, 0], [0, 2.0]]
lattice = lawful.Lattice(scores, labels=labels, tokens=tokens)
once = lawful.at_most_segments(1, "date").named("one date")

print("price  per        dates              score")
for per in ("sequence", "violation"):
    for price in (0.5, 1.2, 3.0):
        best = lawful.decode(lattice, once.soft(price, per=per))
        dates = [token for token, label in zip(tokens, best.labels, strict=True) if label == "date"]
        print(f"{price:5}  {per:9}  {' '.join(dates):17}  {best.score:5.1f}")

best = lawful.decode(lattice, once)
print("hard:", *best.labels)
# prints:
# price  per        dates              score
#   0.5  sequence   1949 1984 2001      10.0
#   1.2  sequence   1949 1984 2001       9.3
#   3.0  sequence   2001                 8.0
#   0.5  violation  1949 1984 2001       9.5
#   1.2  violation  1984 2001            8.3
#   3.0  violation  2001                 8.0
# hard: title title title title title date

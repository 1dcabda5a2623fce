"""Logits of a padded batch, as any neural tagger gives them, decoded under rules in one call."""

import numpy as np

import lawful

labels = lawful.LabelSet(["O", "Street", "City", "Zip"])
batch = np.zeros((2, 4, 4))  # (sequences, tokens, labels); torch tensors work as well
batch[0] = [[0, 3, 0, 0], [0, 2, 1, 0], [0, 2, 1.5, 0], [0, 0, 0, 4]]
batch[1, :2] = [[0, 0, 2, 0], [1, 0, 0, 0.5]]
tokens = [["Elm", "Road", "Bath", "97475"], ["Bath", "1"]]

rules = lawful.Rules(
    lawful.when(lawful.token.matches(r"\d{5}")).then("Zip"),
    lawful.at_least(1, "City").named("an address has a city"),
    lawful.ends_with("Zip").soft(0.3),
)
decoder = lawful.Decoder(rules, labels=labels)
for lattice in lawful.adapters.from_logits_batch(batch, labels, lengths=[4, 2], tokens=tokens):
    best = decoder.decode(lattice)
    print(*zip(lattice.tokens, best.labels, strict=True), f"loss={best.loss:.2f}")

batch[1, 1, 3] = np.nan
try:
    lawful.adapters.from_logits_batch(batch, labels, lengths=[4, 2])
except lawful.InputError as error:
    print(error)
# prints:
# ('Elm', 'Street') ('Road', 'Street') ('Bath', 'City') ('97475', 'Zip') loss=0.50
# ('Bath', 'City') ('1', 'O') loss=0.30
# logits[1][1, 3] (label 'Zip') is nan: scores are finite logs, or -inf for what is forbidden

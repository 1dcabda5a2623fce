"""A model that python-crfsuite trained, under rules: its file is read as it is, nothing is trained anew."""

import pycrfsuite

import lawful


def features(words):
    """What the model sees of each word."""
    return [
        {"word": word.lower(), "digits": word.isdigit(), "before": words[t - 1].lower() if t else "-"}
        for t, word in enumerate(words)
    ]


talks = [
    ("Room 12 at 3 pm", "Room Room O Time Time"),
    ("at 4 pm in room 7", "O Time Time O Room Room"),
    ("hall 5 at noon", "Room Room O Time"),
    ("room 4 is closed", "Room Room O O"),
    ("tea at noon in the hall", "O O Time O O O"),
    ("we meet at 9 am and then walk", "O O O Time Time O O O"),
]
trainer = pycrfsuite.Trainer(verbose=False, params={"c2": 0.05})
for text, labels in talks:
    trainer.append(features(text.split()), labels.split())
trainer.train("talks.crfsuite")

tagger = lawful.from_crfsuite("talks.crfsuite")  # a fitted sklearn_crfsuite.CRF works as well
words = ["room", "9", "at", "11", "am", "and", "tea", "in", "hall", "5"]
lattice = tagger.lattice(features(words), tokens=words)
rules = [lawful.at_most_segments(1, "Room"), lawful.at_most_segments(1, "Time")]
best = lawful.decode(lattice, rules)
print(*best.plain_labels)
print(*best.labels)
print("changed:", *(words[t] for t in best.changed), f"at a loss of {best.loss:.2f}")

theirs = pycrfsuite.Tagger()
theirs.open("talks.crfsuite")
print("without rules the same as CRFsuite:", list(best.plain_labels) == theirs.tag(features(words)))
# prints:
# Room Room O Time Time O O O Room Room
# Room Room O Time Time O O O O O
# changed: hall 5 at a loss of 3.05
# without rules the same as CRFsuite: True

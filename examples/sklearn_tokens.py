"""A scikit-learn classifier of single tokens, with counted neighbours, becomes a tagger that obeys rules."""

# needs: sklearn
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import lawful
from lawful.adapters.transitions import estimate_transitions

DATA = """
Dear/O Ann/Name Lee/Name ,/O meet/O me/O on/O 12/Day May/Month
On/O 3/Day June/Month Bo/Name Cy/Name left/O
Ann/Name May/Name wrote/O on/O 30/Day April/Month
June/Name Lee/Name came/O in/O May/Month
"""
pairs = [[pair.rsplit("/", 1) for pair in line.split()] for line in DATA.split("\n") if line]
X = [[word for word, _ in line] for line in pairs]
y = [[label for _, label in line] for line in pairs]


def features(tokens, position):
    """What the classifier sees of one token."""
    before = tokens[position - 1] if position else "START"
    return {
        "word": tokens[position],
        "title": tokens[position].istitle(),
        "digit": before.isdigit(),
        "before": before.lower(),
    }


model = make_pipeline(DictVectorizer(), LogisticRegression(C=10))
model.fit([features(x, t) for x in X for t in range(len(x))], [label for labels in y for label in labels])

tagger = lawful.from_sklearn(model, features, **estimate_transitions(y, model.classes_)._asdict())
rules = lawful.Rules(
    lawful.when(lawful.token.matches(r"[0-9]+")).then("Day"),
    lawful.at_most(1, "Month").named("one date"),
)
for tokens in (["7", "June", "June", "May", "came"], ["in", "May", "on", "7", "June", "May", "left"]):
    best = lawful.Decoder(rules, tagger=tagger).decode_tokens(tokens)
    print("tokens:", *tokens)
    print("plain: ", *best.plain_labels)
    print("ruled: ", *best.labels, f"(loss {best.loss:.2f})")
# prints:
# tokens: 7 June June May came
# plain:  O Month Name Name O
# ruled:  Day Month Name Name O (loss 2.61)
# tokens: in May on 7 June May left
# plain:  O Month O Day Month Name O
# ruled:  O Name O Day Month Name O (loss 1.51)

"""The spaCy component: a tagger's scores, rules from a rule file's text, and entities that were there before."""

# needs: spacy
import spacy

import lawful

RULES = """
[[rule]]
kind = "valid_tags"
scheme = "BIO"

[[rule]]
name = "one sender"
kind = "at_most"
n = 1
labels = "B-PER"
"""


class Capitals:
    """Stands in for a trained tagger: anything with `labels` and `lattice(tokens)`."""

    labels = lawful.LabelSet(["O", "B-PER", "I-PER"])

    def lattice(self, tokens):
        """Longer names are surer ones."""
        scores = [[2.0, len(t), len(t) - 1.0] if t.istitle() else [5.0, 0.0, 0.0] for t in tokens]
        return lawful.Lattice(scores, labels=self.labels, tokens=tokens)


@spacy.registry.misc("capitals.v1")
def make_capitals():
    """What the config below refers to."""
    return Capitals()


nlp = spacy.blank("en")
nlp.add_pipe("lawful", config={"rules": RULES, "tagger": {"@misc": "capitals.v1"}, "record": True})
text = "from Ann via Berlin to Oslo"
doc = nlp(text)
print(doc.ents, doc.user_data["lawful"]["plain_labels"], doc.user_data["lawful"]["loss"])

places = nlp.add_pipe("entity_ruler", before="lawful")
places.add_patterns([{"label": "LOC", "pattern": "Berlin"}, {"label": "LOC", "pattern": "Oslo"}])
print([(entity.text, entity.label_) for entity in nlp(text).ents])
# prints:
# (Berlin,) ['O', 'B-PER', 'O', 'B-PER', 'O', 'B-PER'] 3.0
# [('Ann', 'PER'), ('Berlin', 'LOC'), ('Oslo', 'LOC')]

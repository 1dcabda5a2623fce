"""A Hugging Face pipeline under rules. With your own model: pipeline(..., model="your/model", pipeline_class=..., rules=...)."""

# needs: transformers
from transformers import pipeline

import lawful
from lawful.adapters.transformers.tagger import RuledTokenClassificationPipeline
from lawful.testing.tiny_models import lookup_token_classifier

# A model with known answers stands in for one that would have to be downloaded.
labels = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
model, tokenizer = lookup_token_classifier(
    labels,
    {
        "Paris": {"B-LOC": 3.0, "B-PER": 2.5},
        "Hilton": {"I-PER": 3.0, "I-LOC": 2.0},
        "moved": {"O": 4.0},
        "to": {"O": 4.0},
        "Bonn": {"B-LOC": 4.0},
    },
)
rules = lawful.Rules(lawful.valid_tags("BIO"), lawful.exactly(1, "B-PER").named("one person"))
plain = pipeline("token-classification", model=model, tokenizer=tokenizer, aggregation_strategy="first")
ruled = pipeline(
    "token-classification",
    model=model,
    tokenizer=tokenizer,
    aggregation_strategy="first",
    pipeline_class=RuledTokenClassificationPipeline,
    rules=rules,
)
text = "Paris Hilton moved to Bonn"
for name, pipe in (("plain", plain), ("ruled", ruled)):
    for entity in pipe(text):
        characters = f"{entity['start']}-{entity['end']}"
        print(name, entity["entity_group"], repr(entity["word"]), characters, f"{entity['score']:.2f}")
# prints:
# plain LOC 'Paris' 0-5 0.57
# plain PER 'Hilton' 6-12 0.66
# plain LOC 'Bonn' 22-26 0.93
# ruled PER 'Paris Hilton' 0-12 0.50
# ruled LOC 'Bonn' 22-26 0.93

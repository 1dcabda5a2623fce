"""Any torch module that maps a padded batch to logits becomes a tagger."""

# needs: torch
import torch

import lawful

WORDS = {word: number for number, word in enumerate(["", "by", "Ann", "Lee", "and", "Bo"])}
labels = ["O", "First", "Last"]


class Network(torch.nn.Module):
    """Stands in for a trained one."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(2)
        self.embedding = torch.nn.Embedding(len(WORDS), 8)
        self.reader = torch.nn.LSTM(8, 8, batch_first=True, bidirectional=True)
        self.output = torch.nn.Linear(16, len(labels))

    def forward(self, ids):
        """Logits (B, T, K) for ids (B, T)."""
        return self.output(self.reader(self.embedding(ids))[0])


tagger = lawful.from_torch(
    Network(), lambda tokens: [WORDS[token] for token in tokens], labels, batch_size=16
)
rules = lawful.Rules(
    lawful.allowed_transitions(
        [("O", "O"), ("O", "First"), ("First", "O"), ("First", "Last"), ("Last", "O")]
    ),
    lawful.when(lawful.token.is_in(["by", "and"])).then("O"),
    lawful.when(~lawful.token.is_in(["by", "and"])).then("First", "Last"),
    lawful.starts_with("O", "First"),
)
for sentence in (["by", "Ann", "Lee"], ["by", "Ann", "Lee", "and", "Bo"]):
    best = lawful.Decoder(rules, tagger=tagger).decode_tokens(sentence)
    print(*zip(sentence, best.labels, strict=True))
# prints:
# ('by', 'O') ('Ann', 'First') ('Lee', 'Last')
# ('by', 'O') ('Ann', 'First') ('Lee', 'Last') ('and', 'O') ('Bo', 'First')

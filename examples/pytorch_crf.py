"""A CRF layer of pytorch-crf: the same scores, exactly, with rules on top."""

# needs: torch
# needs: torchcrf
import torch
from torchcrf import CRF

import lawful

labels = ["O", "B", "I"]
torch.manual_seed(0)
layer = CRF(num_tags=3, batch_first=True)
torch.nn.init.normal_(layer.transitions)
emissions = torch.randn(2, 6, 3)  # (sequences, tokens, labels), from your network
mask = torch.tensor([[True] * 6, [True] * 4 + [False] * 2])

lattices = lawful.adapters.from_pytorch_crf(layer, emissions, mask, labels=labels)
print("layer:  ", [[labels[k] for k in path] for path in layer.decode(emissions, mask)])
print("no rule:", [list(lawful.decode(lattice).labels) for lattice in lattices])

rules = lawful.Rules(lawful.pattern("(O | B I*)*").named("I only inside"), lawful.exactly(1, "B"))
decoder = lawful.Decoder(rules, labels=labels)
for best in decoder.decode_batch(lattices):
    print("ruled:  ", list(best.labels), best.status)
# prints:
# layer:   [['I', 'B', 'I', 'B', 'B', 'B'], ['I', 'B', 'O', 'B']]
# no rule: [['I', 'B', 'I', 'B', 'B', 'B'], ['I', 'B', 'O', 'B']]
# ruled:   ['O', 'O', 'O', 'O', 'B', 'I'] optimal
# ruled:   ['O', 'O', 'O', 'B'] optimal

"""Features for semantic roles: those of Roth & Yih (2005), section 5, and more from a parse."""

from __future__ import annotations

from collections.abc import Sequence

from lawful.corpus.trees import Tree
from lawful.tasks.srl.analysis import Analysis
from lawful.tasks.srl.candidates import candidate_nodes
from lawful.tasks.srl.units import Units

__all__ = ["BE", "HAVE", "chunk_features", "is_passive", "parse_features"]

BE = frozenset(
    (
        "be",
        "is",
        "are",
        "was",
        "were",
        "been",
        "being",
        "am",
        "'s",
        "'re",
        "'m",
        "get",
        "gets",
        "got",
        "getting",
    )
)
HAVE = frozenset(["have", "has", "had", "having", "'ve", "'d"])
_LONGEST = 12  # steps of a path; longer ones are rare, and cut


def chunk_features(
    analysis: Analysis, units: Units, lemma: str, *, classes: Sequence[str] = (), pairs: bool = False
) -> list[list[str]]:
    """The attributes of each unit that need no parse.

    Word, part of speech and chunk type of the unit and of two neighbours on either side; part of speech, lemma, voice and
    classes of the verb; whether the unit is before or after it, and in the same clause; the chunks, and the chunks and clauses,
    on the way from the verb; the named entity.

    Parameters
    ----------
    analysis : Analysis
    units : Units
    lemma : str
        Of the verb.
    classes : sequence of str
        Of the verb, from its frame file for example.
    pairs : bool
        Also join two or three of them: what depends on the verb with its lemma or voice, the unit with its place. The paper
        does not say whether it did.

    Examples
    --------
    >>> from lawful.schemes import Span
    >>> from lawful.tasks.srl.units import cut_units
    >>> layers = Analysis(("He", "left"), ("PRP", "VBD"), (Span("NP", 0, 1), Span("VP", 1, 2)))
    >>> chunk_features(layers, cut_units(layers.chunks, 2, verb=1), "leave")[0][:6]
    ['bias', 'w=He', 'p=PRP', 'c=NP', 'w+1=left', 'p+1=VBD']
    """
    verb, heads = units.verb, units.heads
    verb_word = heads[verb]
    voice = "passive" if is_passive(analysis, units) else "active"
    of_verb = [f"vp={analysis.pos[verb_word]}", f"lemma={lemma}", f"voice={voice}"]
    of_verb += [f"class={name}" for name in classes]
    entity = {t: span.type for span in analysis.entities for t in range(span.start, span.end)}
    paths = _paths(analysis, units)
    rows = []
    for unit, (span, head) in enumerate(zip(units.spans, heads, strict=True)):
        row = ["bias"]
        for step in (0, 1, -1, 2, -2):
            if 0 <= unit + step < len(heads):
                there, mark = heads[unit + step], f"{step:+d}" if step else ""
                row += [f"w{mark}={analysis.words[there]}", f"p{mark}={analysis.pos[there]}"]
                row.append(f"c{mark}={units.spans[unit + step].type}")
            else:
                row.append(f"w{step:+d}=<none>")
        place = "verb" if unit == verb else "before" if unit < verb else "after"
        clause = "same" if analysis.clause_of[head] == analysis.clause_of[verb_word] else "other"
        chunks, clauses = paths[unit]
        row += [*of_verb, f"place={place}", f"clause={clause}", f"chunks={chunks}", f"clauses={clauses}"]
        if head in entity:
            row.append(f"entity={entity[head]}")
        if pairs:
            word, pos = analysis.words[head], analysis.pos[head]
            before = units.spans[unit - 1].type if unit else "<none>"
            after = units.spans[unit + 1].type if unit + 1 < len(heads) else "<none>"
            word_before = analysis.words[heads[unit - 1]] if unit else "<none>"
            row += [
                f"place+voice={place}+{voice}",
                f"w+place={word}+{place}",
                f"p+place={pos}+{place}+{voice}",
                f"vp+place={analysis.pos[verb_word]}+{place}+{span.type}",
                f"c+c+c={before}+{span.type}+{after}+{place}",
                f"w-1+p={word_before}+{pos}+{place}",
                f"chunks+voice={chunks}+{voice}",
                f"clauses+voice={clauses}+{voice}",
                f"lemma+place={lemma}+{place}+{voice}",
                f"lemma+chunks={lemma}+{chunks}",
                f"lemma+clauses={lemma}+{clauses}",
                f"lemma+w={lemma}+{word}",
                f"lemma+c={lemma}+{span.type}+{place}",
            ]
        rows.append(row)
    return rows


def is_passive(analysis: Analysis, units: Units) -> bool:
    """Whether the verb is a past participle without a form of have before it in its unit.

    Examples
    --------
    >>> from lawful.schemes import Span
    >>> from lawful.tasks.srl.units import cut_units
    >>> def passive(words: str, pos: str) -> bool:
    ...     layers = Analysis(tuple(words.split()), tuple(pos.split()), (Span("VP", 0, len(words.split())),))
    ...     return is_passive(layers, cut_units(layers.chunks, len(layers.words), verb=len(layers.words) - 1))
    >>> passive("was sold", "VBD VBN"), passive("has sold", "VBZ VBN"), passive("has been sold", "VBZ VBN VBN")
    (True, False, True)
    """
    span, verb = units.spans[units.verb], units.heads[units.verb]
    if analysis.pos[verb] != "VBN":
        return False
    for word in reversed([word.lower() for word in analysis.words[span.start : verb]]):
        if word in BE:
            return True
        if word in HAVE:
            return False
    return True


def _paths(analysis: Analysis, units: Units) -> list[tuple[str, str]]:
    """The ways from the verb to each unit: by the types of the chunks, and by chunks and the clauses that begin or end.

    Equal neighbours count once. On the second way only the chunks at its ends, verbs and conjunctions are named.
    """
    types, heads, verb = [span.type for span in units.spans], units.heads, units.verb
    depths = [sum(clause.start <= head < clause.end for clause in analysis.clauses) for head in heads]
    found = [("", "")] * len(heads)
    found[verb] = (types[verb], types[verb])
    for step, end, mark in ((1, len(heads), ""), (-1, -1, "<")):
        chunks, clauses, depth = [types[verb]], [types[verb]], depths[verb]
        for unit in range(verb + step, end, step):
            clauses += ["(S"] * (depths[unit] - depth) + ["S)"] * (depth - depths[unit])
            depth = depths[unit]
            if types[unit] != chunks[-1]:
                chunks.append(types[unit])
            found[unit] = (mark + _joined(chunks), mark + _joined([*clauses, types[unit]]))
            if types[unit] in ("VP", "SBAR") and types[unit] != clauses[-1]:
                clauses.append(types[unit])
    return found


def _joined(names: Sequence[str]) -> str:
    return ">".join(names if len(names) <= _LONGEST else [*names[: _LONGEST - 1], "..."])


def parse_features(analysis: Analysis, units: Units, lemma: str) -> list[list[str]]:
    """The attributes of each unit that come from the parse (Gildea & Jurafsky 2002; Xue & Palmer 2004).

    They describe the largest candidate that holds the head of the unit: its phrase type, its head word, the path to the verb,
    its first and last word, the phrase around it and its sisters; and the expansion of the phrase around the verb. All
    units of a candidate have them in common, as the rule of candidates gives them one label. A head in no candidate
    has the path of its own leaf.

    Examples
    --------
    >>> from lawful.schemes import Span
    >>> from lawful.tasks.srl.units import cut_units
    >>> tree = Tree.of([("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2)], ["PRP", "VBD"])
    >>> layers = Analysis(("He", "left"), ("PRP", "VBD"), (Span("NP", 0, 1), Span("VP", 1, 2)), tree=tree)
    >>> parse_features(layers, cut_units(layers.chunks, 2, verb=1), "leave")[0][:4]
    ['phrase=NP', 'path=VBD^VP^S!NP', 'head=He', 'headpos=PRP']
    """
    tree = analysis.tree
    if tree is None:
        return [[] for _ in units.spans]
    verb = units.heads[units.verb]
    leaf = tree.leaves[verb]
    around = tree.nodes[tree.nodes[leaf].parent]
    subcat = f"{around.label}>{'-'.join(tree.nodes[child].label for child in around.children)}"
    passive = "passive" if is_passive(analysis, units) else "active"
    of_word: dict[int, int] = {}
    for node in candidate_nodes(tree, verb):  # outer ones come first
        for word in range(tree.nodes[node].start, tree.nodes[node].end):
            of_word.setdefault(word, node)
    described: dict[int, list[str]] = {}
    rows = []
    for head in units.heads:
        node = of_word.get(head, tree.leaves[head])
        place = "later" if node in described else "first"
        if node not in described:
            described[node] = _describe(analysis, tree, node, leaf, lemma, subcat, passive)
        rows.append([*described[node], f"in={place}"])
    return rows


def _describe(
    analysis: Analysis, tree: Tree, node: int, verb: int, lemma: str, subcat: str, passive: str
) -> list[str]:
    phrase, head = tree.nodes[node], analysis.heads[node]
    up, down = tree.path(verb, node)
    path = "^".join(tree.nodes[index].label for index in up)
    path += "".join(f"!{tree.nodes[index].label}" for index in down)
    top = tree.nodes[up[-1]].label
    words, pos = analysis.words, analysis.pos
    head_word = words[head]
    side = "before" if phrase.start < tree.nodes[verb].start else "after"
    last = words[phrase.end - 1]
    sisters = tree.nodes[phrase.parent].children if phrase.parent >= 0 else (node,)
    index = sisters.index(node)
    left = tree.nodes[sisters[index - 1]].label if index else "<none>"
    right = tree.nodes[sisters[index + 1]].label if index + 1 < len(sisters) else "<none>"
    noun = _object_head(analysis, tree, node)
    return [
        f"phrase={phrase.label}",
        f"path={path}",
        f"head={head_word}",
        f"headpos={pos[head]}",
        f"top={top}",
        f"subcat={subcat}",
        f"first={words[phrase.start]}",
        f"last={last}",
        f"parent={tree.nodes[phrase.parent].label if phrase.parent >= 0 else '<none>'}",
        f"left={left}",
        f"right={right}",
        f"object={noun}",
        f"path+voice={path}+{passive}",
        f"lemma+path={lemma}+{path}",
        f"lemma+phrase={lemma}+{phrase.label}+{side}+{passive}",
        f"lemma+head={lemma}+{head_word}",
        f"lemma+subcat={lemma}+{subcat}+{phrase.label}+{side}",
        f"phrase+side={phrase.label}+{side}+{passive}",
        f"lemma+object={lemma}+{phrase.label}+{noun}",
    ]


def _object_head(analysis: Analysis, tree: Tree, node: int) -> str:
    """The head of the last child of a prepositional phrase, which says what it is about; else nothing."""
    phrase = tree.nodes[node]
    if phrase.label != "PP" or not phrase.children:
        return "<none>"
    return analysis.words[analysis.heads[phrase.children[-1]]]

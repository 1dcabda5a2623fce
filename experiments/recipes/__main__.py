"""Train and score a tagger for a task of Loper (2008), with its features: noun phrases, parts of speech, bio-entities.

    python -m experiments.recipes np --data DATA        # or: pos, bio
    python -m experiments.recipes np --sample 500       # a quick look

Prints the scores, saves the model, and keeps the numbers in docs/results/recipes.{md,json}.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

import lawful
from experiments.shared.paths import RESULTS, ROOT
from lawful.corpus import Sentence
from lawful.errors import LawfulError
from lawful.models.features import Features
from lawful.tasks import TASKS
from lawful.tasks.bio.features import bio_entity_features
from lawful.tasks.chunking.features import chunking_features
from lawful.tasks.pos.features import tagging_features

progress = Console(stderr=True)


@dataclass(frozen=True)
class Recipe:
    """A task, its features, and what the paper reached with them.

    Attributes
    ----------
    measure : str
        "f1" of spans, or "accuracy" of tokens.
    paper : float
        The baseline CRF's score in per cent, where the paper gives one; its data is not quite ours for pos and bio.
    c2 : float
        For np, chosen on the last tenth of the training data, trained on the rest (`--choose`); for the others, the
        CRF's default.
    """

    about: str
    task: str
    train: str
    features: Callable[[], Features]
    measure: str
    paper: float
    c2: float


RECIPES = {
    "np": Recipe("noun phrase chunking", "rm95_basenp", "train", chunking_features, "f1", 93.69, 0.1),
    "pos": Recipe(
        "part-of-speech tagging", "ud_english_ewt", "train", tagging_features, "accuracy", 95.94, 1.0
    ),
    "bio": Recipe("bio-entities", "jnlpba", "train", bio_entity_features, "f1", 67.56, 1.0),
}


def tokens_of(sentences: list[Sentence]) -> list[list[Any]]:
    """What the templates look at: rows with their columns, or words."""
    return [list(sentence.rows() if sentence.columns else sentence.tokens) for sentence in sentences]


def labels_of(sentences: list[Sentence]) -> list[list[str]]:
    """The gold labels."""
    return [list(sentence.labels or ()) for sentence in sentences]


def score(recipe: Recipe, gold: list[Sentence], answers: list[list[str]]) -> float:
    """In per cent."""
    scheme = TASKS[recipe.task].scheme if recipe.measure == "f1" else None
    result = lawful.evaluate(labels_of(gold), answers, scheme=scheme)
    return 100 * (result.micro.f1 if recipe.measure == "f1" else result.token_accuracy)


def trained(recipe: Recipe, c2: float, sentences: list[Sentence]) -> lawful.CRF:
    """A CRF with the recipe's features."""
    started = time.perf_counter()
    model = lawful.CRF(recipe.features(), c2=c2)

    def show(at: Any) -> None:
        if progress.is_terminal:
            progress.print(f"  iteration {at.iteration}: objective {at.objective:.1f}", end="\r")

    model.fit(tokens_of(sentences), labels_of(sentences), callback=show)
    progress.print(f"  trained on {len(sentences):,} sentences in {time.perf_counter() - started:.0f} s")
    return model


def choose(recipe: Recipe, sentences: list[Sentence]) -> None:
    """Show what each c2 gives on the last tenth of the training data."""
    cut = len(sentences) * 9 // 10
    for c2 in (0.1, 0.3, 1.0, 3.0):
        model = trained(recipe, c2, sentences[:cut])
        kept = sentences[cut:]
        print(f"c2 = {c2}: {score(recipe, kept, model.predict(tokens_of(kept))):.2f}")


def write_page(results: dict[str, Any]) -> None:
    """docs/results/recipes.md and .json."""
    folder = RESULTS
    (folder / "recipes.json").write_text(json.dumps(results, indent=1) + "\n")
    rows = [
        f"| `make recipe-{name}` | {RECIPES[name].about} ({RECIPES[name].task}) | {run['train']:,} / {run['test']:,} | "
        f"{RECIPES[name].measure} {run['plain']:.2f} | {run['ruled']:.2f} | {RECIPES[name].paper:.2f} | {run['features']:,} |"
        for name, run in sorted(results.items())
    ]
    page = [
        "# Recipes: taggers for the tasks of Loper (2008)",
        "",
        "Each row was made by the command in it, with `LAWFUL_DATA` naming the folder of the corpora. A linear-chain CRF",
        "(L-BFGS, c2 as in `experiments/recipes`) with the features of the thesis's Figures 4.3, 4.12 and 4.13. *ruled*: the same",
        "model, decoded so that its tags are legal in the corpus's scheme. *paper*: the thesis's CRF with the same features and the",
        "corpus's own encoding; its data for parts of speech (WSJ) is not ours (UD EWT), so that only np and bio can be compared.",
        "",
        "| command | task | sentences | score | ruled | paper | weights |",
        "|---|---|---:|---:|---:|---:|---:|",
        *rows,
        "",
    ]
    (folder / "recipes.md").write_text("\n".join(page))


def main(
    name: Annotated[str, typer.Argument(help=", ".join(RECIPES))],
    data: Annotated[Path | None, typer.Option(help="The folder of corpora; by default LAWFUL_DATA.")] = None,
    output: Annotated[Path, typer.Option(help="Folder for the model.")] = ROOT / "build" / "models",
    sample: Annotated[int, typer.Option(help="Use only this many sentences, and do not write results.")] = 0,
    choosing: Annotated[
        bool, typer.Option("--choose", help="Compare values of c2 on held-out data.")
    ] = False,
) -> None:
    """Train, score, save."""
    if name not in RECIPES:
        raise typer.BadParameter(f"the recipes are {', '.join(RECIPES)}")
    recipe = RECIPES[name]
    try:
        train = TASKS[recipe.task].load(recipe.train, data)
        test = TASKS[recipe.task].load("test", data)
    except LawfulError as error:
        progress.print(str(error), markup=False)
        raise typer.Exit(2) from None
    train, test = train[: sample or None], test[: sample or None]
    if choosing:
        choose(recipe, train)
        return
    model = trained(recipe, recipe.c2, train)
    tokens = tokens_of(test)
    plain = score(recipe, test, model.predict(tokens))
    rules = [lawful.valid_tags(TASKS[recipe.task].scheme)] if recipe.measure == "f1" else []
    ruled = score(recipe, test, model.predict(tokens, rules=rules))
    print(
        f"{recipe.about}: {recipe.measure} {plain:.2f}; with legal tags only {ruled:.2f} (the paper: {recipe.paper:.2f})"
    )
    output.mkdir(parents=True, exist_ok=True)
    model.save(output / f"{name}.lawful")
    print(f"saved {output / f'{name}.lawful'}")
    if not sample:
        path = RESULTS / "recipes.json"
        results = json.loads(path.read_text()) if path.exists() else {}
        results[name] = {
            "train": len(train),
            "test": len(test),
            "plain": plain,
            "ruled": ruled,
            "c2": recipe.c2,
            "features": len(model.weights_),
        }
        write_page(results)


if __name__ == "__main__":
    typer.run(main)

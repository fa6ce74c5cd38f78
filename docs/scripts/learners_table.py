"""Write the tables of docs/reference/learners.md from what the learners declare: no arguments."""

import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import learners
from learners.facts import ANSWERS, MISSING, NUMBERS, WEIGHTS
from workbench.report.notes import table
from workbench.report.renderers.markdown import between_markers

PAGE = Path(__file__).resolve().parents[1] / "reference" / "learners.md"
CLASSES = [getattr(learners, name) for name in learners.__all__ if name.endswith("Classifier")]
#: Phrases of docstrings, and what they become in a column that is headed "assumes".
PHRASES = (
    (r"^It assumes (that )?", ""),
    (r"^Each part of the average assumes that ", "for each part of the average, "),
    (r"(, and|:) that ", r"\1 "),
)


def tables() -> str:
    """Return what each learner assumes, what it does with data, and what the words mean."""
    assumptions = ([f"`{kind.__name__}`", f"`{kind.facts.key}`", _assumption(kind)] for kind in CLASSES)
    data = ([f"`{kind.facts.key}`", *_data(kind)] for kind in CLASSES)
    assumed = table(("class", "key", "what it assumes"), assumptions)
    head = ("key", "numbers", "missing values", "weights", "beyond `predict_proba`")
    return "\n\n".join([assumed, table(head, data), "\n".join(_legend())])


def _assumption(kind: type) -> str:
    """Return the first sentence after the summary of a docstring."""
    text = " ".join((inspect.getdoc(kind) or "").split("\n\n")[1].split())
    sentence = re.split(r"\.(?: |$)", text)[0]
    for phrase, shorter in PHRASES:
        sentence = re.sub(phrase, shorter, sentence)
    return sentence[0].lower() + sentence[1:]


def _data(kind: type) -> tuple[str, ...]:
    facts = kind.facts
    answers = ", ".join(dict.fromkeys(ANSWERS[name] for name in facts.also))
    return facts.numbers, facts.missing, facts.weights, answers


def _legend() -> Iterator[str]:
    """Yield what the words in use mean, and the limits, as a list of two levels."""
    for head, name, meanings in (
        ("Numbers", "numbers", NUMBERS),
        ("Missing values", "missing", MISSING),
        ("Weights", "weights", WEIGHTS),
    ):
        used = {getattr(kind.facts, name) for kind in CLASSES}
        yield f"- {head}"
        yield from _words({word: what for word, what in meanings.items() if word in used})
    answers = {
        answer: ", ".join(f"`{path}`" for path, meant in ANSWERS.items() if meant == answer)
        for answer in dict.fromkeys(ANSWERS.values())
    }
    yield "- Beyond `predict_proba`: methods and attributes of the fitted learner"
    yield from _words(answers)
    yield "- Keys for a class with options"
    yield from _variants()
    limits: dict[str, list[str]] = {}
    for kind in CLASSES:
        if kind.facts.limit:
            limits.setdefault(kind.facts.limit, []).append(f"`{kind.facts.key}`")
    yield "- Limits of size or memory"
    yield from (f"    - {', '.join(keys)}: {limit}" for limit, keys in limits.items())


def _variants() -> Iterator[str]:
    for kind in CLASSES:
        for key, variant in kind.facts.variants.items():
            options = ", ".join(f"{name}={value!r}" for name, value in variant.parameters.items())
            yield f"    - `{key}`: `{kind.facts.key}` with `{options}`"


def _words(meanings: Mapping[str, str]) -> Iterator[str]:
    return (f"    - *{word}*: {meaning}" for word, meaning in meanings.items())


def page() -> str:
    """Return the page with its tables written anew."""
    return between_markers(PAGE.read_text(encoding="utf-8"), tables())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

"""Documents of studies that no run wrote, and what determines the numbers of a study."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from workbench.study.document import StudyDocument
from workbench.study.study import Study

WORDS = {"priors": ["training"], "rows": ["test"], "cutoffs": ["none"]}


def document(
    sources: Mapping[str, Any],
    learners: Mapping[str, Any],
    design: Mapping[str, Any],
    scores: Mapping[str, Sequence[str]],
    *,
    name: str = "made",
    compared: Sequence[str] = (),
) -> StudyDocument:
    """Make the document of a study whose members have identities alone."""
    content = {
        "name": name,
        "seed": 1,
        "keep_predictions": True,
        "compared": [*compared],
        "sources": [{"key": key} for key in sources],
        "learners": [{"key": key} for key in learners],
        "design": {**design},
        "scores": {**WORDS, **scores},
    }
    return StudyDocument(content, {**sources}, {**learners})


def numbers_of(study: Study) -> tuple[Any, ...]:
    """Return everything that determines the numbers of a study."""
    found = StudyDocument.of(study)
    rest = {name: value for name, value in found.content.items() if name not in ("sources", "learners")}
    return rest, list(found.sources.items()), list(found.learners.items()), study.scores.descriptions


def comparing(study: StudyDocument, learners: Sequence[str]) -> StudyDocument:
    """Return the document with other learners to compare."""
    return replace(study, content={**study.content, "compared": [*learners]})

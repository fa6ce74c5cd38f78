"""Notes of runs about learners, kept with their provenance."""

import json
from collections.abc import Iterable

from workbench.base.seeds import canonical
from workbench.study.document import StudyDocument

__all__ = ["REPEAT_OF", "said_of_learners"]

#: How it begins the entry of a learner that forecasts otherwise when it is fitted again.
REPEAT_OF = "repeated fit of "


def said_of_learners(prefix: str, study: StudyDocument, runs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return what the last of some runs recorded, by provenance and study, of each learner of a study."""
    found: dict[str, str] = {}
    for text, record in runs:
        about = {name: words for name, words in json.loads(text).items() if name.startswith(prefix)}
        for key, identity in StudyDocument.from_json(record).learners.items() if about else ():
            if f"{prefix}{key}" in about:
                found[canonical(identity)] = str(about[f"{prefix}{key}"])
    known = {key: canonical(identity) for key, identity in study.learners.items()}
    return {key: found[identity] for key, identity in known.items() if identity in found}

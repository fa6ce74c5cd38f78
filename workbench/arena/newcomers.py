"""Entering the arena: further learners are measured on the suite, next to the reference results."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from workbench.base.errors import WorkbenchError
from workbench.base.seeds import canonical
from workbench.engine.progress import Progress
from workbench.profiles.entrants import (
    ENTRANTS,
    Entrant,
    check_key,
    entrants_of_file,
    entrants_of_packages,
    name_of,
)
from workbench.profiles.measure import Measured, measured
from workbench.profiles.part import SuitePart
from workbench.profiles.planning import measured_in
from workbench.profiles.reference import Reference, fallen_back
from workbench.profiles.scores import SuiteScores, joined

__all__ = ["ArenaField", "entered", "named", "newcomers"]


@dataclass(frozen=True, eq=False)
class ArenaField:
    """All learners of an arena, and sentences on those that cannot enter."""

    scores: SuiteScores
    entrants: Mapping[str, Entrant]
    failures: Mapping[str, int]
    measured: Mapping[str, Measured]
    notes: tuple[str, ...] = ()


def newcomers(
    added: Iterable[str], file: str | Path | None, reference: Reference
) -> tuple[dict[str, Entrant], tuple[str, ...]]:
    """Return named learners, from a file or installed packages, that enter, and why others cannot."""
    found: dict[str, Entrant] = {}
    notes: list[str] = []
    for entrant in entrants_of_packages().values():
        own = entrant if entrant.key not in ENTRANTS else replace(entrant, key=f"{entrant.key}_2")
        why = _why_not(own, reference)
        notes += [f"{entrant.key}, of an installed package, does not take part: {why}."] if why else []
        found |= {} if why else {own.key: own}
    for entrant in (*(entrants_of_file(file).values() if file else ()), *map(named, added)):
        if entrant.key in found or entrant.key in ENTRANTS:
            raise WorkbenchError(
                f"an entrant {entrant.key!r} is there already: give yours another key, in a file of entrants"
            )
        why = _why_not(entrant, reference)
        if why:
            raise WorkbenchError(f"entrant {entrant.key!r} cannot enter: {why}")
        found[entrant.key] = entrant
    return found, tuple(notes)


def _why_not(entrant: Entrant, reference: Reference) -> str:
    """Return why a learner cannot enter. Empty if it can."""
    try:
        check_key(entrant.key)  # which names its store
        identity = canonical(entrant.spec.identity)
    except WorkbenchError as error:
        return str(error)
    same = [key for key, other in reference.identities.items() if canonical(other) == identity]
    return f"it is the reference learner {same[0]!r}" if same else ""


def named(word: str) -> Entrant:
    """Return the learner of a class or a key, under its own name."""
    key = name_of(word)
    return Entrant(key, key, "entered", word)


def entered(
    newcomers: Mapping[str, Entrant],
    reference: Reference,
    *,
    minutes: float,
    folder: Path,
    part: SuitePart | None = None,
    n_jobs: int = 1,
    progress: Progress | bool | None = None,
) -> ArenaField:
    """Measure newcomers, each in a separate store, on the part or on what fits into some minutes."""
    # One that cannot be measured, or failed in more than half of its fits, is left out with a note.
    scores, failures, own, notes = reference.scores, dict(reference.failures), {}, []
    prior = reference.scores.only(learners=["prior"])
    for key, entrant in newcomers.items():
        store = folder / f"{key}.db"
        try:
            if part is None:
                found = measured_in(minutes, entrant.spec, store=store, n_jobs=n_jobs, progress=progress)
            else:
                found = measured([entrant.spec], part, store=store, n_jobs=n_jobs, progress=progress)
        except WorkbenchError as error:
            notes.append(f"{key} does not take part: {error}.")
            continue
        if failing := found.mostly_failed:
            notes.append(f"{key} does not take part: {failing}.")
            continue
        scores = fallen_back(joined(scores, found.scores), found.failed, prior)
        failures[key], own[key] = len(found.failed), found
    return ArenaField(scores, {**ENTRANTS, **newcomers}, failures, own, tuple(notes))

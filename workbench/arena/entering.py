"""Entering the arena: further learners are measured on the suite and stand next to the reference results."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from workbench.base.errors import WorkbenchError
from workbench.base.seeds import canonical
from workbench.engine.progress import Progress
from workbench.profiles.entrants import ENTRANTS, Entrant, entrants_of_file, entrants_of_packages
from workbench.profiles.measure import Measured, fitting_part, measured, time_limit_of
from workbench.profiles.reference import Reference, fallen_back
from workbench.profiles.scores import SuiteScores, joined

__all__ = ["Field", "entered", "newcomers"]


@dataclass(frozen=True, eq=False)
class Field:
    """All learners of an arena.

    Parameters
    ----------
    scores : SuiteScores
        Of the reference learners and those that entered.
    entrants : mapping of str to Entrant
        What they are called.
    failures : mapping of str to int
        How many fits of each failed.
    measured : mapping of str to Measured
        Of those that entered.
    notes : tuple of str
        Who could not enter, and why, in sentences.
    """

    scores: SuiteScores
    entrants: Mapping[str, Entrant]
    failures: Mapping[str, int]
    measured: Mapping[str, Measured]
    notes: tuple[str, ...] = ()


def newcomers(
    added: Iterable[str], file: str | Path | None, reference: Reference, *, from_packages: bool = True
) -> dict[str, Entrant]:
    """Return the learners that enter: named ones, those of a TOML file, and those of installed packages.

    Raises
    ------
    WorkbenchError
        If the file cannot be read, or two have the same key.
    """
    found = dict(entrants_of_packages()) if from_packages else {}
    listed = [*(entrants_of_file(file).values() if file else ()), *(_named(word) for word in added)]
    for entrant in listed:
        if entrant.key in found or entrant.key in ENTRANTS:
            raise WorkbenchError(
                f"an entrant {entrant.key!r} is there already: give yours another key, in a file of entrants"
            )
        found[entrant.key] = entrant
    known = {canonical(identity): key for key, identity in reference.identities.items()}
    for entrant in found.values():
        same = known.get(canonical(entrant.spec.identity))
        if same is not None:
            raise WorkbenchError(f"entrant {entrant.key!r} is the reference learner {same!r}: leave it out")
    return found


def _named(word: str) -> Entrant:
    key = word.rpartition(":")[2].rpartition(".")[2]
    return Entrant(key, key, "entered", word)


def entered(
    newcomers: Mapping[str, Entrant],
    reference: Reference,
    *,
    minutes: float,
    folder: Path,
    n_jobs: int = 1,
    progress: Progress | bool | None = None,
) -> Field:
    """Measure newcomers, each in some minutes and in a store of its own, and put them next to the others.

    One that cannot be measured is left out with a note.
    """
    scores, failures, own, notes = reference.scores, dict(reference.failures), {}, []
    prior = reference.scores.only(learners=["prior"])
    for key, entrant in newcomers.items():
        store = folder / f"{key}.db"
        try:
            part = fitting_part([entrant.spec], minutes, store=store, n_jobs=n_jobs)
            found = measured(
                [entrant.spec],
                part,
                store=store,
                n_jobs=n_jobs,
                time_limit=time_limit_of(minutes),
                progress=progress,
            )
        except WorkbenchError as error:
            notes.append(f"{key} does not take part: {error}.")
            continue
        scores = fallen_back(joined(scores, found.scores), found.failed, prior)
        failures[key], own[key] = len(found.failed), found
    return Field(scores, {**ENTRANTS, **newcomers}, failures, own, tuple(notes))

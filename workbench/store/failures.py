"""Cells that ended without scores and why, each reason once."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from workbench.base.cell import ENDED_WITHOUT_SCORES
from workbench.base.names import learner_name
from workbench.base.text import count_of, sentence, truncate

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["Ended", "failure_lines", "failures_by_learner", "failures_of", "first_clause"]

MOST_REASONS = 5  # of each state
#: Characters that end a clause if a blank follows.
ENDS = re.compile(r"[.,;:](?=\s|$)|\n")


class Ended(NamedTuple):
    """A cell that ended without scores: its place, how it ended, and the message."""

    source: str
    replicate: int
    n_train: int
    learner: str
    state: str
    message: str


def failures_of(results: "StudyResults") -> Iterator[str]:
    """Return which cells of a study ended without scores and why."""
    cells = results.cells()
    ended = cells.loc[cells["state"].isin(ENDED_WITHOUT_SCORES), list(Ended._fields)]
    yield from failure_lines(map(Ended._make, ended.itertuples(index=False)))


def failures_by_learner(results: "StudyResults") -> Iterator[str]:
    """Return for each learner how many of its cells ended without scores, and the most frequent cause."""
    cells = results.cells()
    for learner, own in cells.groupby("learner", observed=True, sort=False):
        ended = own[own["state"].isin(ENDED_WITHOUT_SCORES)]
        if len(ended):
            causes = ended["message"].map(first_clause).value_counts()
            more = f", and {count_of(len(causes) - 1, 'other cause')}" if len(causes) > 1 else ""
            often = f"{len(ended)} of {count_of(len(own), 'cell')}"
            yield f"{learner_name(str(learner))} failed in {often}: {sentence(causes.index[0])}{more}"


def failure_lines(ended: Iterable[Ended]) -> Iterator[str]:
    """Return which cells ended without scores and why, state by state."""
    by_state: dict[str, dict[tuple[str, str], list[Ended]]] = {state: {} for state in ENDED_WITHOUT_SCORES}
    for cell in ended:
        by_state[cell.state].setdefault((cell.learner, cell.message), []).append(cell)
    for state, reasons in by_state.items():
        n = sum(map(len, reasons.values()))
        if not n:
            continue
        words = state.replace("_", " ")
        yield f"{count_of(n, 'cell')} {words}; `workbench run ... --retry {state}` computes them again:"
        largest = sorted(reasons.items(), key=lambda reason: -len(reason[1]))
        for (learner, message), own in largest[:MOST_REASONS]:
            yield f"  {learner_name(learner)} on {_place(own)}: {sentence(message)}"
        rest = sum(len(own) for _, own in largest[MOST_REASONS:])
        if rest:
            yield f"  and {rest} more, for other reasons"


def first_clause(message: str) -> str:
    """Return the first clause of a failure's message, without the name of the error."""
    words = re.sub(r"^\w+: ", "", message)
    ends = [
        end.start()
        for end in ENDS.finditer(words)
        if words.count("(", 0, end.start()) <= words.count(")", 0, end.start())
    ]
    return words[: ends[0]].strip() if ends and ends[0] else words.strip() or message


def _place(cells: Sequence[Ended]) -> str:
    if len(cells) == 1:
        (cell,) = cells
        return f"{cell.source} {cell.replicate}, {cell.n_train} rows"
    sources = list(dict.fromkeys(cell.source for cell in cells))
    return f"{truncate(sources)} ({len(cells)} cells)"

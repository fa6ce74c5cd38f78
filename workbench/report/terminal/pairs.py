"""Pairs of learners on data sets: differences, tests, who is better."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from workbench.analyses import Comparison, comparisons_of
from workbench.analyses._shared.data_sets_answer import tally_frame, tally_words, untested
from workbench.analyses._shared.partial_results import partial_note
from workbench.base.score_key import ScoreKey
from workbench.report.size_tables import pairs_legend, pairs_table
from workbench.report.table import PLAIN, Table
from workbench.report.terminal.comparison import at_least_two, with_base
from workbench.report.words import asked_keys

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["pairs_parts"]


def pairs_parts(
    results: "StudyResults",
    *,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
) -> Iterator[Table | str]:
    """Return every pair of learners on every data set: difference, tests, who is better; then counts."""
    wanted = at_least_two(with_base(results, learners, None))
    yield from filter(None, [partial_note(results)])
    for key in asked_keys(results, score):
        tests = comparisons_of(results, score=key, learners=wanted)
        yield from _of_score(tests)
        yield ""
    yield from pairs_legend(tests[0])


def _of_score(tests: Sequence[Comparison]) -> Iterator[Table | str]:
    table = pairs_table(tests, PLAIN)
    if table.rows:
        yield table
        yield f"wins/ties/losses: {tally_words(tally_frame(tests))}"
    else:
        yield table.title
    yield from untested(tests)

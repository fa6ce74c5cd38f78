"""Pairs of learners on tables as lines of text, for the command line."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.analyses import Resampled, resampled_of
from workbench.analyses._shared.tables_answer import DECIDING, tally_frame, tally_words, untested
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.report.renderers.text_table import aligned
from workbench.report.terminal.tables_summary import headline_keys, title_of

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["pairs_lines"]

EXPLAINED = {
    "five_by_two": "t, p: Dietterich's 5x2cv test; F, p of F: Alpaydin's combined one, which decides",
    "corrected": "t, p: Nadeau and Bengio's corrected resampled test",
}


def pairs_lines(
    results: "StudyResults",
    *,
    base: str | None = None,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
) -> Iterator[str]:
    """Print every pair of learners on every table: difference, tests, who is better; then counts."""
    wanted = list(learners or results.study.compared_learners())
    wanted = list(dict.fromkeys([*wanted, base] if base else wanted))
    if len(wanted) < 2:
        whom = f" with {wanted[0]}: name one more" if wanted else ": name two"
        raise WorkbenchError(f"there is no learner to compare{whom}")
    first = results.choose(score)
    asked = ScoreKey.parse(score)
    keys = [key for key in headline_keys(results) if asked.metric in ("", key.metric)]
    if any(asked[1:]):
        keys = [first]
    for key in keys:
        tests = resampled_of(results, score=key, learners=wanted)
        yield from _of_score(key, [_with(one, base) for one in tests] if base else tests)
        yield ""
    yield "difference: mean over parts of the first minus the second"
    yield EXPLAINED[tests[0].test]
    yield f"better, wins, ties and losses: by {DECIDING[tests[0].test]}"
    yield "p (Bonferroni): p of the same test times the number of pairs, for those who want the simpler bound"
    if base and len(wanted) > 2:
        yield f"Holm's correction is that over all pairs of {', '.join(wanted)}"


def _with(one: Resampled, base: str) -> Resampled:
    """Keep the pairs with the base; Holm's correction stays that over all pairs."""
    own = (one.table["learner"] == base) | (one.table["other"] == base)
    return replace(one, table=one.table[own].reset_index(drop=True))


def _of_score(key: "ScoreKey", tests: Sequence[Resampled]) -> Iterator[str]:
    yield f"{title_of(key)}: {tests[0].metric.measure}"
    statistics = ["t", "p"] + ["F", "p of F"] * (tests[0].test == "five_by_two")
    lines = [["table", "pair", "difference", *statistics, "p (Bonferroni)", "p (Holm)", "better"]]
    for one in tests:
        for row, winner in zip(one.table.to_dict("records"), one.winners(), strict=True):
            pair = f"{row['learner']} - {row['other']}"
            numbers = [_number(row["t"]), _p(row["p"])]
            numbers += [_number(row["F"]), _p(row["p_F"])] * (one.test == "five_by_two")
            adjusted = [_p(row["p_bonferroni"]), _p(row["p_holm"])]
            lines.append([one.source, pair, f"{row['difference']:.4f}", *numbers, *adjusted, winner or "-"])
    if len(lines) > 1:
        yield from aligned(lines, words=(0, 1, len(lines[0]) - 1))
        yield f"wins/ties/losses: {tally_words(tally_frame(tests))}"
    yield from untested(tests)


def _number(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.2f}"


def _p(p: float) -> str:
    if np.isnan(p):
        return "-"
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"

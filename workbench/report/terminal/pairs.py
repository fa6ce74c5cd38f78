"""Pairs of learners on data sets: differences, tests, who is better."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.analyses import Resampled, resampled_of
from workbench.analyses._shared.data_sets_answer import DECIDING, tally_frame, tally_words, untested
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.report.table import Cell, Table, number, p_value
from workbench.report.words import headline_keys, title_of

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["pairs_parts"]

EXPLAINED = {
    "five_by_two": "t, p: Dietterich's 5x2cv test; F, p of F: Alpaydin's combined one, which decides",
    "corrected": "t, p: Nadeau and Bengio's corrected resampled test",
}


def pairs_parts(
    results: "StudyResults",
    *,
    base: str | None = None,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
) -> Iterator[Table | str]:
    """Return every pair of learners on every data set: difference, tests, who is better; then counts."""
    wanted = list(learners or results.study.compared_learners())
    wanted = list(dict.fromkeys([*wanted, base] if base else wanted))
    if len(wanted) < 2:
        whom = f" with {wanted[0]}: name one more" if wanted else ": name two"
        raise WorkbenchError(f"no learner to compare{whom}")
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
    yield "p (Bonferroni): p of the same test times the number of pairs, a simpler bound"
    if base and len(wanted) > 2:
        yield f"Holm's correction is over all pairs of {', '.join(wanted)}"


def _with(one: Resampled, base: str) -> Resampled:
    """Keep the pairs with the base; Holm's correction remains that over all pairs."""
    own = (one.table["learner"] == base) | (one.table["other"] == base)
    return replace(one, table=one.table[own].reset_index(drop=True))


def _of_score(key: ScoreKey, tests: Sequence[Resampled]) -> Iterator[Table | str]:
    yield f"{title_of(key)}: {tests[0].metric.measure}"
    statistics = ["t", "p"] + ["F", "p of F"] * (tests[0].test == "five_by_two")
    columns = ("data set", "pair", "difference", *statistics, "p (Bonferroni)", "p (Holm)", "better")
    rows: list[tuple[Cell, ...]] = []
    for one in tests:
        for row, winner in zip(one.table.to_dict("records"), one.winners(), strict=True):
            numbers = [number(row["t"], 2), p_value(row["p"])]
            numbers += [number(row["F"], 2), p_value(row["p_F"])] * (one.test == "five_by_two")
            numbers += [p_value(row["p_bonferroni"]), p_value(row["p_holm"])]
            pair = f"{row['learner']} - {row['other']}"
            rows.append((one.source, pair, number(row["difference"]), *numbers, winner or "-"))
    if rows:
        yield Table("", columns, tuple(rows))
        yield f"wins/ties/losses: {tally_words(tally_frame(tests))}"
    yield from untested(tests)

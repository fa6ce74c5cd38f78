"""The answer on data sets in words: who wins, and who could not be tested."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.analyses._shared.resampled import Resampled
from workbench.base.score_key import ScoreKey
from workbench.base.text import count_of

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["DECIDING", "PAPERS", "answer", "counting_all", "tally_frame", "tally_words", "untested"]

#: Most pairs without a test that a sentence names.
MOST_PAIRS = 6

#: The test that decides, in words.
DECIDING = {
    "five_by_two": (
        "Alpaydin's combined 5x2cv F test at 5% with Holm's correction over the pairs of each data set"
    ),
    "corrected": (
        "Nadeau and Bengio's corrected resampled t test at 5% with Holm's correction over the pairs of each "
        "data set"
    ),
}
#: The papers' test: uncorrected, however many pairs there are.
PAPERS = {
    "five_by_two": "Dietterich's 5x2cv t test at 5%, uncorrected",
    "corrected": "Nadeau and Bengio's corrected resampled t test at 5%, without Holm's correction",
}


def counting_all(results: "StudyResults", score: ScoreKey, learners: Sequence[str] | None = None) -> ScoreKey:
    """Use a score after a cut-off if the one without it would leave learners out."""
    if score.cutoff != "none" or not _infinite(results, score, learners):
        return score
    clipped = [
        key for key in results.score_keys if key.cutoff != "none" and key == score._replace(cutoff=key.cutoff)
    ]
    return clipped[0] if clipped else score


def tally_frame(tests: Sequence[Resampled], *, p: str = "p_holm") -> pd.DataFrame:
    """Count wins, ties and losses of each learner over all data sets and other learners."""
    learners = list(dict.fromkeys(key for one in tests for key in one.means.index))
    counts = pd.DataFrame(0, index=pd.Index(learners, name="learner"), columns=["win", "tie", "loss"])
    for one in tests:
        for a, b, winner in zip(one.table["learner"], one.table["other"], one.winners(p=p), strict=True):
            if winner is None:
                counts.loc[[a, b], "tie"] += 1
            else:
                counts.loc[winner, "win"] += 1
                counts.loc[b if winner == a else a, "loss"] += 1
    return counts


def tally_words(counts: pd.DataFrame) -> str:
    """Write wins/ties/losses of the tested learners."""
    tested = counts[counts.sum(axis=1) > 0]
    rows = zip(tested.index, tested.to_numpy(), strict=True)
    return "; ".join(f"{key} {'/'.join(map(str, row))}" for key, row in rows)


def answer(results: "StudyResults", tests: Sequence[Resampled]) -> str:
    """Write who wins most, how often and by which test; then who could not be tested."""
    counts = tally_frame(tests)
    score = tests[0].score
    cut = "" if score.cutoff == "none" else f" after the cut-off of {score.cutoff}"
    opening = f"By {score.metric}{cut} on {count_of(len(tests), 'data set')}"
    notes = [*_why_cut(results, tests), *untested(tests)]
    if not counts.to_numpy().any():
        return " ".join([f"{opening} no two learners could be tested.", *notes])
    who = f"{_leader(counts)} (wins/ties/losses against the others: {tally_words(counts)})"
    return " ".join([f"{opening} {who}, by {DECIDING[tests[0].test]}.", *notes])


def untested(tests: Sequence[Resampled]) -> Iterator[str]:
    """Write which learners are in no test and why, each reason once; then pairs without a test."""
    places: dict[tuple[str, str], list[str]] = {}
    for one in tests:
        for left in one.left_out:
            why = "infinite score" if left.n == left.n_parts else left.why
            places.setdefault((left.learner, why), []).append(one.source)
    untested = []
    for (learner, why), sources in places.items():
        where = f"all {len(tests)} data sets" if 1 < len(sources) == len(tests) else ", ".join(sources)
        untested.append(f"{learner} on {where} ({why})")
    if untested:
        yield f"Not tested: {'; '.join(untested)}."
    pairs = [f"{pair} on {one.source}" for one in tests for pair in one.undecided]
    if pairs:
        why = next(one.why_no_test for one in tests if one.undecided)
        if len(pairs) > MOST_PAIRS:
            pairs = [*pairs[: MOST_PAIRS - 1], f"{len(pairs) - MOST_PAIRS + 1} more"]
        yield f"Counted as ties, as no test is possible: {', '.join(pairs)} ({why})."


def _leader(counts: pd.DataFrame) -> str:
    if not counts["win"].any():
        return "no learner is significantly better than another"
    tested = counts[counts.sum(axis=1) > 0]
    net = tested["win"] - tested["loss"]
    best = [str(key) for key in tested.index[net == net.max()]]
    return f"{' and '.join(best)} win{'s' * (len(best) == 1)} most, net of losses"


def _why_cut(results: "StudyResults", tests: Sequence[Resampled]) -> Iterator[str]:
    score = tests[0].score
    plain = score._replace(cutoff="none")
    if score.cutoff != "none" and plain in results.score_keys:
        infinite = _infinite(results, plain, list(tests[0].means.index))
        if infinite:
            yield f"Without the cut-off the score is infinite for {', '.join(infinite)}."


def _infinite(results: "StudyResults", score: ScoreKey, learners: Sequence[str] | None) -> list[str]:
    """List the compared learners with infinite scores."""
    scores = results.scores(score)
    found = set(scores["learner"][np.isinf(scores["value"])])
    return [key for key in results.study.compared_learners(learners) if key in found]

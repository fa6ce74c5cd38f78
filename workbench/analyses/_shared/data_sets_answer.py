"""The answer on data sets in words: who wins, and who could not be tested."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from workbench.analyses._shared.resampled import Resampled
from workbench.base.score_key import ScoreKey
from workbench.base.text import and_of, count_of

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
    notes = [*_why_cut(results, tests), *untested(tests)]
    if len(tests) == 1 and tests[0].best:
        return " ".join([_of_one(tests[0]), *notes])
    opening = f"By {tests[0].score.words} on {count_of(len(tests), 'data set')}"
    counts = tally_frame(tests)
    if not counts.to_numpy().any():
        return " ".join([f"{opening} no two learners could be tested.", *notes])
    who = f"{_leader(counts)} (wins/ties/losses against the others: {tally_words(counts)})"
    return " ".join([f"{opening} {who}, by {DECIDING[tests[0].test]}.", *notes])


def _of_one(one: Resampled) -> str:
    """Write who leads on the only data set, and from whom that differs significantly."""
    best = one.best[0]
    worse, tied = _others(one, best)
    mean = f"a mean of {one.means.loc[best, 'mean']:.3g}"
    opening = f"By {one.score.words} on {one.source}"
    if not worse and not tied:
        return f"{opening} no two learners could be tested."
    if not tied:
        return f"{opening} {best} wins over every other learner, with {mean}, by {DECIDING[one.test]}."
    over = f", significantly better than {and_of(worse)}" if worse else ""
    link = " but" if worse else ","
    return (
        f"{opening} {best} leads with {mean}{over}{link} not significantly different from {and_of(tied)}, by "
        f"{DECIDING[one.test]}."
    )


def _others(one: Resampled, best: str) -> tuple[list[str], list[str]]:
    """Return the tested learners that are significantly worse than the best, and the others."""
    worse = [str(key) for key in one.beaten_by(best)]
    pairs = zip(one.table["learner"], one.table["other"], strict=True)
    met = [str(b if a == best else a) for a, b in pairs if best in (a, b)]
    return worse, [key for key in met if key not in worse]


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


def leaders(tests: Sequence[Resampled]) -> tuple[str, ...]:
    """Return whom the answer names as winning: on one data set over all others, on several most often."""
    if len(tests) == 1:
        best = tests[0].best[:1]
        worse, tied = _others(tests[0], best[0]) if best else ([], [])
        return best if worse and not tied else ()
    counts = tally_frame(tests)
    return tuple(_most(counts)) if counts["win"].any() else ()


def _most(counts: pd.DataFrame) -> list[str]:
    tested = counts[counts.sum(axis=1) > 0]
    net = tested["win"] - tested["loss"]
    return [str(key) for key in tested.index[net == net.max()]]


def _leader(counts: pd.DataFrame) -> str:
    if not counts["win"].any():
        return "no learner is significantly better than another"
    best = _most(counts)
    return f"{and_of(best)} {'has' if len(best) == 1 else 'have'} most pairwise wins, net of losses"


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

"""The answer if each source is one setting: winners, and learners that could not be tested."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from workbench.analyses._shared.comparison import Comparison
from workbench.analyses._shared.subjects import behind_number
from workbench.base.names import capital, learner_name, spoken_name
from workbench.base.text import and_of, count_of, truncate

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["answer", "leaders", "tally_frame", "tally_words", "untested", "wins_and_leads"]

#: Most pairs without a test, and most means of an only learner, that a sentence names.
MOST_PAIRS, MOST_MEANS = 6, 6


def tally_frame(tests: Sequence[Comparison], *, p: str = "p_holm") -> pd.DataFrame:
    """Count wins, ties and losses of each learner over all data sets and other learners."""
    learners = list(dict.fromkeys(key for one in tests for key in one.scores.wanted))
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
    return ", ".join(f"{learner_name(key)} {'/'.join(map(str, row))}" for key, row in rows)


def answer(results: "StudyResults", tests: Sequence[Comparison]) -> str:
    """Write who wins or leads where, how often and by which test, and who could not be tested."""
    first = tests[0].scores
    infinite = results.infinite_without_cutoff(first.score, first.wanted)
    cut = [f"Without clipping the score of {_names(infinite)} is infinite."] if infinite else []
    notes = [*cut, *_no_better_than_prior(tests), *untested(tests)]
    several = len(tests) > 1
    where = f"{len(tests)} {first.by.sources}" if several else first.source
    opening = f"By {first.score.words}, on {where},"
    if not any(one.tested for one in tests):
        return " ".join([f"{opening} {_of_nobody(tests)}", *notes])
    if several:
        return " ".join([f"By {first.score.words}, {_of_several(tests)}", _of_pairs(tests), *notes])
    return " ".join([f"{opening} {_of_one(tests[0])}", *notes])


def _of_nobody(tests: Sequence[Comparison]) -> str:
    """Write that there is no test, or the means of the only learner, or where no test is valid."""
    learners = tests[0].scores.wanted
    if not tests[0].scores.test.holds:
        listed = [_means(one, f" on {one.scores.source}" * (len(tests) > 1)) for one in tests]
        return f"the means are {', and '.join(listed)}. Differences are not tested."
    if len(learners) != 1:
        return "no two learners could be tested."
    means = [(one.scores.source, one.scores.means.loc[learners[0], "mean"]) for one in tests]
    known = [f"{mean:.3g} on {source}" if len(tests) > 1 else f"{mean:.3g}" for source, mean in means]
    return f"{spoken_name(learners[0])} has a mean of {truncate(known, MOST_MEANS)}. It is the only learner."


def _means(one: Comparison, where: str) -> str:
    """List the means of one data set, the best first."""
    own = one.scores.means.loc[list(one.scores.wanted), "mean"].dropna()
    ordered = own.sort_values(ascending=one.scores.sign < 0, kind="stable")
    listed = truncate([f"{learner_name(key)} {mean:.3g}" for key, mean in ordered.items()], MOST_MEANS)
    return f"{listed}{where}"


def _of_one(one: Comparison) -> str:
    """Write who leads on the only data set, and from whom that differs significantly."""
    (standing,) = one.standings
    best, tied = standing.leader, standing.tied
    worse = [key for key in one.tested if key not in (best, *tied)]
    mean = f"a mean of {one.scores.means.loc[best, 'mean']:.3g}"
    if not tied:
        return (
            f"{spoken_name(best)} wins with {mean}{_lead(one)}. It is significantly better than every other "
            f"{_learner([one])}. The test: {one.deciding}."
        )
    over = f"It is significantly better than {_names(worse)}. " if worse else ""
    return (
        f"{spoken_name(best)} leads with {mean}{_lead(one)}, but does not differ significantly from "
        f"{_names(tied)}. {over}The test: {one.deciding}."
    )


def _no_better_than_prior(tests: Sequence[Comparison]) -> Iterator[str]:
    """Report the learners whose mean is not better than that of the class frequencies, if these are there."""
    for one in tests:
        means = one.scores.means["mean"] * one.scores.sign
        if "prior" in means.index and "prior" not in one.scores.wanted:
            worse = [key for key in one.scores.wanted if means.get(key, math.nan) <= means["prior"]]
            if worse:
                number = f"{one.scores.means.loc['prior', 'mean']:.3g}"
                yield f"On {one.scores.source}, not better than the class prior ({number}): {_names(worse)}."


def _names(keys: Sequence[str]) -> str:
    return and_of(list(map(spoken_name, keys)))


def _lead(one: Comparison) -> str:
    """Write the lead of the best over the next, with the interval of this pair."""
    (standing,) = one.standings
    if math.isnan(standing.low):
        return ""
    unit = behind_number(one.scores.unit, one.scores.score.metric)
    ends = f"{standing.low:.3g} to {standing.high:.3g}, 95% interval of this pair"
    return f", {standing.gap:.3g}{unit} ({ends}) ahead of {spoken_name(standing.runner_up)}"


def _of_several(tests: Sequence[Comparison]) -> str:
    """Write on how many data sets each learner wins and leads."""
    outcomes = [(standing.leader, standing.wins) for one in tests for standing in one.standings]
    rest = len(tests) - len(outcomes)
    first, *others = wins_and_leads(outcomes, "on ")
    clauses = [f"{first} of {len(tests)} {tests[0].scores.by.sources}", *others]
    clauses += [f"no pair could be tested on {rest}"] if rest else []
    return (
        f"{and_of(clauses)}. A win is a significant difference from every other {_learner(tests)}, a lead is "
        f"not. The test: {tests[0].deciding}."
    )


def wins_and_leads(outcomes: Sequence[tuple[str, bool]], link: str = "") -> list[str]:
    """Write how often each learner is first: with True a win, otherwise a lead."""
    clauses = []
    for leader, _ in Counter(leader for leader, _ in outcomes).most_common():
        counts = {"wins": outcomes.count((leader, True)), "leads": outcomes.count((leader, False))}
        verbs = [f"{verb} {link}{n}" for verb, n in counts.items() if n]
        clauses.append(f"{spoken_name(leader)} {and_of(verbs)}")
    return clauses


def _learner(tests: Sequence[Comparison]) -> str:
    return "tested learner" if any(one.scores.left_out for one in tests) else "learner"


def _of_pairs(tests: Sequence[Comparison]) -> str:
    """Write who has most pairwise wins, and by how much."""
    counts = tally_frame(tests)
    n_tests = int(counts.to_numpy().sum()) // 2
    n = count_of(n_tests, "pairwise test")
    if not counts["win"].any():
        return f"No difference is significant ({n})."
    net = (counts["win"] - counts["loss"])[counts.sum(axis=1) > 0].sort_values(ascending=False, kind="stable")
    first = [str(key) for key in net.index[net == net.max()]]
    has, each = ("has", "") if len(first) == 1 else ("have", " each")
    n_significant = int(counts["win"].sum())
    are = "is" if n_significant == 1 else "are"
    of = f"Of the {n}, {n_significant} {are}" if n_tests > 1 else "The only pairwise test is"
    return (
        f"{of} significant. {capital(_names(first))} {has} the most wins minus losses, "
        f"{net.max()}{each} (wins/ties/losses: {tally_words(counts)})."
    )


def leaders(tests: Sequence[Comparison]) -> tuple[str, ...]:
    """Return the learners that win in some setting."""
    return tuple(dict.fromkeys(each.leader for one in tests for each in one.standings if each.wins))


def untested(tests: Sequence[Comparison]) -> Iterator[str]:
    """Write which learners are untested and why, each reason once, then pairs without a test."""
    places: dict[tuple[str, str], list[str]] = {}
    for one in tests:
        for left in one.scores.left_out:
            why = "infinite score" if left.n == left.n_planned else left.why
            places.setdefault((left.learner, why), []).append(one.scores.source)
    untested = []
    for (learner, why), sources in places.items():
        every = "both" if len(tests) == 2 else f"all {len(tests)}"
        where = (
            f"{every} {tests[0].scores.by.sources}" if 1 < len(sources) == len(tests) else ", ".join(sources)
        )
        untested.append(f"{spoken_name(learner)} on {where} ({why})")
    if untested:
        yield f"Not tested: {', '.join(untested)}."
    pairs = [f"{pair} on {one.scores.source}" for one in tests for pair in one.undecided]
    if pairs:
        why = next(one.why_no_test for one in tests if one.undecided)
        if len(pairs) > MOST_PAIRS:
            pairs = [*pairs[: MOST_PAIRS - 1], f"{len(pairs) - MOST_PAIRS + 1} more"]
        yield f"Counted as ties, because they cannot be tested: {', '.join(pairs)} ({why})."

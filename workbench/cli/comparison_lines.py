"""Ranks and posteriors as lines of text, for the command line."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from workbench.analyses import Posterior, Ranks
from workbench.analyses._shared.subjects import check_learners
from workbench.base.errors import WorkbenchError, nearest
from workbench.base.score_key import ScoreKey
from workbench.comparisons import FriedmanTest, RankDifference
from workbench.comparisons._shared.bayesian import check_rope
from workbench.report.renderers.text_table import aligned
from workbench.report.terminal.summary import Column

if TYPE_CHECKING:
    from workbench.comparisons import RopePosterior
    from workbench.results import Results

__all__ = ["comparison_lines", "posterior_lines", "rank_lines"]

TESTS = ("friedman", "bayes")


def comparison_lines(
    results: "Results",
    test: str | None,
    *,
    rope: float | None = None,
    base: str | None = None,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
) -> Iterator[str]:
    """Print the comparison that was asked for by a word."""
    if test not in (None, *TESTS):
        raise WorkbenchError(f"{test!r} is no test here: {nearest(test, TESTS)}")
    if test == "friedman":
        if rope is not None:
            raise WorkbenchError("ranks know no region of practical equivalence: leave out --rope")
        return rank_lines(results, base=base, score=score, learners=learners)
    if rope is None:
        raise WorkbenchError(
            "the bayes test needs --rope, the largest difference that does not matter, in the unit of the "
            "metric, such as --rope 0.01"
        )
    return posterior_lines(results, rope=rope, base=base, score=score, learners=learners)


def rank_lines(
    results: "Results",
    *,
    base: str | None = None,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
) -> Iterator[str]:
    """Print mean ranks, Friedman's test, and which pairs differ by Nemenyi's and Holm's procedures."""
    ranks = Ranks.of(results, score=score, learners=_with(results, learners, base))
    yield f"ranks by {Column(ranks.score).line}: {results.metric(ranks.score.metric).measure}"
    for size, test in ranks.tests.items():
        if base is not None and base not in test.learners:
            raise WorkbenchError(f"{base} is not ranked: {'; '.join(ranks.notes)}")
        at = "" if size is None else f" at {size} rows"
        yield ""
        yield f"{test.n_datasets} {ranks.over}{at}; mean ranks, 1 is best"
        yield from _of_test(test, base)
    yield ""
    yield "p: of the difference of two mean ranks alone; Nemenyi's holds for all pairs at once"
    family = f"the pairs with {base}" if base else "all pairs of a setting"
    yield f"p (Holm): over {family}; better: by that at 5%"
    yield from ranks.notes


def posterior_lines(
    results: "Results",
    *,
    rope: float,
    base: str | None = None,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
) -> Iterator[str]:
    """Print for each pair how probably the first is worse, practically equal, or better."""
    try:
        check_rope(rope)
    except ValueError as error:
        raise WorkbenchError(str(error)) from error
    score = results.choose(score)
    found, lacking = _posteriors(results, _pairs(results, learners, base), rope, score)
    yield f"{Column(score).line}: {results.metric(score.metric).measure}"
    lines = [["on", "pair", "difference", "worse", "equal", "better", "decision"]]
    for one in found:
        pair = f"{one.learner} - {one.other}"
        for (source, size), own in one.places.items():
            place = source if results.on_datasets else f"{source}, {size} rows"
            lines.append([place, pair, f"{own.mean:.4f}", *_outcomes(own, one.learner)])
        if one.overall is not None:
            mean = np.mean([own.mean for own in one.places.values()])
            lines.append(
                [f"all {one.overall.n} tables", pair, f"{mean:.4f}", *_outcomes(one.overall, one.learner)]
            )
    yield from aligned(lines, words=(0, 1, 6))
    yield ""
    yield "difference: mean of the first minus the second; worse, equal, better: how probably the first is"
    yield f"equal: differences up to {rope:g}; decision: what has probability 0.95 or more"
    yield from _explained(results, [one.overall for one in found])
    yield from _notes(found)
    yield from lacking


def _posteriors(
    results: "Results", pairs: Sequence[tuple[str, str]], rope: float, score: ScoreKey
) -> tuple[list[Posterior], list[str]]:
    """Compare the pairs that have finite scores enough; say which have not."""
    check_learners(results, [learner for pair in pairs for learner in pair])
    found, lacking = [], []
    for pair in pairs:
        try:
            found.append(Posterior.of(results, *pair, rope=rope, score=score))
        except WorkbenchError as error:
            lacking.append(str(error))
    if not found:
        raise WorkbenchError("; ".join(lacking))
    return found, lacking


def _of_test(test: FriedmanTest, base: str | None) -> Iterator[str]:
    """Print one test: ranks, whether any differ, groups, pairs."""
    table = test.table()
    yield from aligned(
        [[name, f"{rank:.3f}"] for name, rank in zip(table["learner"], table["rank"], strict=True)], (0,)
    )
    yield f"Friedman's chi-squared {test.chi2:.3f} on {test.df} degrees of freedom, {_equals(test.p)}"
    yield f"Iman and Davenport's F {test.F:.3f} on {test.df} and {test.df_error}, {_equals(test.p_F)}"
    groups = "; ".join(", ".join(group) for group in test.groups) or "no two learners"
    within = f"critical difference {test.critical_difference:.3f}"
    yield f"not significantly different at {test.alpha:.0%} ({within}): {groups}"
    pairs = test.pairs if base is None else test.against(base)
    lines = [["pair", "ranks", "z", "p", "p (Holm)", "p (Nemenyi)", "better"]]
    lines += [_pair_line(pair, test.alpha) for pair in pairs]
    yield from aligned(lines, words=(0, 6))


def _pair_line(pair: RankDifference, alpha: float) -> list[str]:
    winner = pair.learner if pair.difference < 0 else pair.other
    numbers = [f"{pair.difference:.3f}", f"{pair.z:.2f}", _p(pair.p), _p(pair.p_holm), _p(pair.p_nemenyi)]
    return [f"{pair.learner} - {pair.other}", *numbers, winner if pair.p_holm <= alpha else "-"]


def _outcomes(found: "RopePosterior", learner: str) -> list[str]:
    """Return the three probabilities, and the outcome that is decided, of the learner or of both."""
    decision = {"worse": f"{learner} worse", "better": f"{learner} better", "equal": "equal", None: "-"}
    numbers = (found.p_worse, found.p_equal, found.p_better)
    return [*(f"{p:.3f}" for p in numbers), decision[found.decision]]


def _notes(found: Iterable[Posterior]) -> Iterator[str]:
    """Print what was left out and what has no spread, once for all pairs of which it is true."""
    pairs: dict[str, list[str]] = {}
    for one in found:
        for note in one.notes:
            pairs.setdefault(note, []).append(f"{one.learner} - {one.other}")
    for note, own in pairs.items():
        yield f"{', '.join(own)}: {note}"


def _explained(results: "Results", overall: Iterable[object]) -> Iterator[str]:
    if not results.on_datasets:
        yield "probabilities by Student's t over truths, which are independent"
        return
    yield "on a table: by Corani and Benavoli's correlated t over its parts"
    if any(one is not None for one in overall):
        yield "on all tables: by Benavoli and others' signed ranks of the means over parts"


def _pairs(results: "Results", learners: Sequence[str] | None, base: str | None) -> list[tuple[str, str]]:
    wanted = _with(results, learners, base)
    if len(wanted) < 2:
        whom = f" with {wanted[0]}: name one more" if wanted else ": name two"
        raise WorkbenchError(f"there is no learner to compare{whom}")
    if base is None:
        return list(combinations(wanted, 2))
    return [(base, other) for other in wanted if other != base]


def _with(results: "Results", learners: Sequence[str] | None, base: str | None) -> list[str]:
    """List who is compared, the base among them."""
    wanted = list(learners or results.study.compared_learners())
    return list(dict.fromkeys([*wanted, base] if base else wanted))


def _p(p: float) -> str:
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def _equals(p: float) -> str:
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"

"""Ranks, posteriors and correlations of metrics as lines of text, for the command line."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from workbench.analyses import Correlations, Posterior, Ranks
from workbench.compared import compared_learners
from workbench.comparisons import FriedmanTest, RankDifference
from workbench.errors import WorkbenchError, nearest
from workbench.scores import ScoreKey
from workbench.summary import Column
from workbench.tables_summary import unit_of

if TYPE_CHECKING:
    from workbench.comparisons import RopePosterior
    from workbench.results import Results

__all__ = ["comparison_lines", "correlation_lines", "posterior_lines", "rank_lines"]

TESTS = ("friedman", "bayes")


def comparison_lines(
    results: "Results",
    test: str | None,
    *,
    rope: float | None = None,
    base: str | None = None,
    metric: str | None = None,
    prior: str | None = None,
    rows: str | None = None,
    cutoff: str | None = None,
    learners: Sequence[str] | None = None,
) -> Iterator[str]:
    """Print the comparison that was asked for by a word.

    Parameters
    ----------
    results : Results
    test : {"friedman", "bayes"} or None
        None, with a region of practical equivalence, is "bayes".
    rope : float, optional
        For "bayes" alone, which needs it.
    base, metric, prior, rows, cutoff, learners : optional
        As `rank_lines` and `posterior_lines` take them.

    Returns
    -------
    iterator of str
        One line each.

    Raises
    ------
    WorkbenchError
        If the word is unknown, "bayes" has no region or "friedman" has one; else as the two functions.
    """
    if test not in (None, *TESTS):
        raise WorkbenchError(f"{test!r} is no test here: {nearest(test, TESTS)}")
    options = {"base": base, "metric": metric, "prior": prior, "rows": rows, "cutoff": cutoff}
    if test == "friedman":
        if rope is not None:
            raise WorkbenchError("ranks know no region of practical equivalence: leave out --rope")
        return rank_lines(results, learners=learners, **options)
    if rope is None:
        raise WorkbenchError(
            "the bayes test needs --rope, the largest difference that does not matter, in the unit of the "
            "metric, such as --rope 0.01"
        )
    return posterior_lines(results, rope=rope, learners=learners, **options)


def rank_lines(
    results: "Results",
    *,
    base: str | None = None,
    metric: str | None = None,
    prior: str | None = None,
    rows: str | None = None,
    cutoff: str | None = None,
    learners: Sequence[str] | None = None,
) -> Iterator[str]:
    """Print mean ranks, Friedman's test, and which pairs differ by Nemenyi's and Holm's procedures.

    Parameters
    ----------
    results : Results
    base : str, optional
        Only pairs with this learner, and Holm's procedure over these alone; by default all pairs.
    metric, prior, rows, cutoff : str, optional
        The score, as `Results.choose` takes them.
    learners : sequence of str, optional
        Which are ranked; by default those that the study compares.

    Yields
    ------
    str
        One line each.

    Raises
    ------
    WorkbenchError
        As `Ranks.of`, or if `base` is not ranked.
    """
    ranks = Ranks.of(
        results, metric=metric, prior=prior, rows=rows, cutoff=cutoff, learners=_with(results, learners, base)
    )
    yield f"ranks by {_title(ranks.score)}: {unit_of(ranks.score)}"
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
    metric: str | None = None,
    prior: str | None = None,
    rows: str | None = None,
    cutoff: str | None = None,
    learners: Sequence[str] | None = None,
) -> Iterator[str]:
    """Print for each pair how probably the first is worse, practically equal, or better.

    Parameters
    ----------
    results : Results
    rope : float
        Half width of the region of practical equivalence, in the unit of the score.
    base : str, optional
        Only pairs with this learner; by default all.
    metric, prior, rows, cutoff : str, optional
        The score, as `Results.choose` takes them.
    learners : sequence of str, optional
        Which are compared; by default those that the study compares.

    Yields
    ------
    str
        One line each.

    Raises
    ------
    WorkbenchError
        As `Posterior.of`, or if there are fewer than two learners, or `rope` is negative or not finite.
    """
    if not np.isfinite(rope) or rope < 0:
        raise WorkbenchError(
            f"rope is {rope}: give the largest difference that does not matter, 0 or more, in the unit of "
            "the score"
        )
    score = results.choose(metric, prior=prior, rows=rows, cutoff=cutoff)
    pairs = _pairs(results, learners, base)
    found = [Posterior.of(results, *pair, rope=rope, **score._asdict()) for pair in pairs]
    yield f"{_title(score)}: {unit_of(score)}"
    lines = [["on", "pair", "difference", "worse", "equal", "better", "decision"]]
    for one in found:
        pair = f"{one.learner} - {one.other}"
        for (source, size), own in one.places.items():
            place = source if results.on_tables else f"{source}, {size} rows"
            lines.append([place, pair, f"{own.mean:.4f}", *_outcomes(own)])
        if one.overall is not None:
            lines.append([f"all {one.overall.n} tables", pair, "", *_outcomes(one.overall)])
    yield from _aligned(lines, words=(0, 1, 6))
    yield ""
    yield f"equal: differences up to {rope:g}; decision: what has probability 0.95 or more"
    yield from _explained(results, [one.overall for one in found])
    yield from dict.fromkeys(note for one in found for note in one.notes)


def correlation_lines(
    results: "Results",
    *,
    metrics: Sequence[str] | None = None,
    prior: str | None = None,
    rows: str | None = None,
    cutoff: str | None = None,
    learners: Sequence[str] | None = None,
) -> Iterator[str]:
    """Print how metrics go together: for each pair of them, data sets down and learners across.

    Parameters
    ----------
    results : Results
    metrics : sequence of str, optional
        By default all of the study.
    prior, rows, cutoff : str, optional
        Which score of each metric, as `Correlations.of` takes them.
    learners : sequence of str, optional
        By default those that the study compares.

    Yields
    ------
    str
        One line each.

    Raises
    ------
    WorkbenchError
        As `Correlations.of`.
    """
    found = Correlations.of(results, metrics, prior=prior, rows=rows, cutoff=cutoff, learners=learners)
    for one, other in combinations(found.scores, 2):
        yield f"{_title(one)}; {_title(other)}"
        table = found.matrix(one.metric, other.metric)
        lines = [["", *map(str, table.columns)]]
        for place, row in zip(table.index, table.to_numpy(), strict=True):
            name = place if isinstance(place, str) else f"{place[0]}, {place[1]} rows"
            lines.append([name, *("-" if np.isnan(r) else f"{r:.3f}" for r in row)])
        yield from _aligned(lines, words=(0,))
        yield ""
    over = "splits of each table" if results.on_tables else "truths at each size"
    yield f"Pearson's correlation over the {over}, of the scores as measured"
    yield from found.notes


def _of_test(test: FriedmanTest, base: str | None) -> Iterator[str]:
    """Print one test: ranks, whether any differ, groups, pairs."""
    table = test.table()
    yield from _aligned(
        [[name, f"{rank:.3f}"] for name, rank in zip(table["learner"], table["rank"], strict=True)], (0,)
    )
    yield f"Friedman's chi-squared {test.chi2:.3f} on {test.df} degrees of freedom, {_equals(test.p)}"
    yield f"Iman and Davenport's F {test.F:.3f} on {test.df} and {test.df_error}, {_equals(test.p_F)}"
    groups = "; ".join(", ".join(group) for group in test.groups) or "no two learners"
    yield f"not told apart at {test.alpha:.0%} (critical difference {test.critical_difference:.3f}): {groups}"
    pairs = test.pairs if base is None else test.against(base)
    lines = [["pair", "ranks", "z", "p", "p (Holm)", "p (Nemenyi)", "better"]]
    lines += [_pair_line(pair, test.alpha) for pair in pairs]
    yield from _aligned(lines, words=(0, 6))


def _pair_line(pair: RankDifference, alpha: float) -> list[str]:
    winner = pair.learner if pair.difference < 0 else pair.other
    numbers = [f"{pair.difference:.3f}", f"{pair.z:.2f}", _p(pair.p), _p(pair.p_holm), _p(pair.p_nemenyi)]
    return [f"{pair.learner} - {pair.other}", *numbers, winner if pair.p_holm <= alpha else "-"]


def _outcomes(found: "RopePosterior") -> list[str]:
    numbers = (found.p_worse, found.p_equal, found.p_better)
    return [*("-" if np.isnan(p) else f"{p:.3f}" for p in numbers), found.decision or "-"]


def _explained(results: "Results", overall: Iterable[object]) -> Iterator[str]:
    if not results.on_tables:
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
    wanted = list(learners or compared_learners(results.study))
    return list(dict.fromkeys([*wanted, base] if base else wanted))


def _title(key: ScoreKey) -> str:
    return ", ".join(Column(key).title.splitlines())


def _p(p: float) -> str:
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def _equals(p: float) -> str:
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


def _aligned(lines: list[list[str]], words: tuple[int, ...]) -> Iterator[str]:
    """Set the columns of words to the left and those of numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        parts = [
            word.ljust(width) if i in words else word.rjust(width)
            for i, (word, width) in enumerate(zip(line, widths, strict=True))
        ]
        yield "  ".join(parts).rstrip()

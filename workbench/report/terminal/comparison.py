"""Ranks and posteriors of learners."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import TYPE_CHECKING

import numpy as np

from workbench.analyses import Posterior, Ranks
from workbench.analyses._shared.partial_results import partial_note
from workbench.analyses._shared.subjects import check_learners
from workbench.base.errors import WorkbenchError, nearest
from workbench.base.names import learner_list, learner_name, source_name
from workbench.base.score_key import ScoreKey
from workbench.base.text import p_words
from workbench.comparisons import FriedmanTest, RankDifference
from workbench.comparisons._shared.bayesian import check_rope
from workbench.report.table import Cell, Table, number, p_value

if TYPE_CHECKING:
    from workbench.comparisons import RopePosterior
    from workbench.store.results import StudyResults

__all__ = ["at_least_two", "comparison_parts", "posterior_parts", "rank_parts", "with_base"]

TESTS = ("friedman", "bayes")


def comparison_parts(
    results: "StudyResults",
    test: str | None,
    *,
    rope: float | None = None,
    base: str | None = None,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
) -> Iterator[Table | str]:
    """Return the comparison of a test's name."""
    if test not in (None, *TESTS):
        raise WorkbenchError(f"unknown test {test!r}; {nearest(test, TESTS)}")
    first = filter(None, [partial_note(results)])
    if test == "friedman":
        if rope is not None:
            raise WorkbenchError("ranks have no region of practical equivalence: leave out --rope")
        return chain(first, rank_parts(results, base=base, score=score, learners=learners))
    if rope is None:
        raise WorkbenchError(
            "the bayes test needs --rope, the region of practical equivalence in the unit of the metric, "
            "such as --rope 0.01"
        )
    return chain(first, posterior_parts(results, rope=rope, base=base, score=score, learners=learners))


def rank_parts(
    results: "StudyResults",
    *,
    base: str | None = None,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
) -> Iterator[Table | str]:
    """Return mean ranks, Friedman's test, and which pairs differ by Nemenyi's and Holm's procedures."""
    ranks = Ranks.of(results, score=score, learners=with_base(results, learners, base))
    yield f"ranks by {ranks.score.words}: {results.metric(ranks.score.metric).measure}"
    for size, test in ranks.tests.items():
        if base is not None and base not in test.learners:
            raise WorkbenchError(f"{base} is not ranked: {'; '.join(ranks.notes)}")
        at = "" if size is None else f" at {size} rows"
        yield ""
        yield f"{test.n_datasets} {ranks.over}{at}, mean ranks (1 is best)"
        yield from _of_test(test, base)
    yield ""
    yield "p: of a single difference of mean ranks. p (Nemenyi): simultaneous over all pairs."
    family = f"the pairs with {learner_name(base)}" if base else "all pairs of a setting"
    yield f"p (Holm): over {family}. Better: by this p at 5%."
    yield from ranks.notes


def posterior_parts(
    results: "StudyResults",
    *,
    rope: float,
    base: str | None = None,
    score: ScoreKey | str | None = None,
    learners: Sequence[str] | None = None,
) -> Iterator[Table | str]:
    """Return for each pair the probabilities that the first is worse, practically equal, or better."""
    try:
        check_rope(rope)
    except ValueError as error:
        raise WorkbenchError(str(error)) from error
    score = results.choose(score)
    found, lacking = _posteriors(results, _pairs(results, learners, base), rope, score)
    yield f"{score.words}: {results.metric(score.metric).measure}"
    lines: list[tuple[Cell, ...]] = []
    for one in found:
        pair = _pair(one)
        for (source, size), own in one.places.items():
            place = f"{source_name(source)}, {size} rows" if one.by.has_sizes else source
            lines.append((place, pair, number(own.mean), *_outcomes(own, one.learner)))
        if one.overall is not None:
            mean = float(np.mean([own.mean for own in one.places.values()]))
            lines.append(
                (
                    f"all {one.overall.n} {one.by.sources}",
                    pair,
                    number(mean),
                    *_outcomes(one.overall, one.learner),
                )
            )
    yield Table("", ("on", "pair", "difference", "worse", "equal", "better", "decision"), tuple(lines))
    yield ""
    yield "Difference: mean of the first minus the second. Worse, equal, better: probabilities for the first."
    yield f"Equal: differences up to {rope:g}. Decision: the outcome with a probability of at least 0.95."
    yield from _explained(results, [one.overall for one in found])
    yield from _notes(found)
    yield from lacking


def _posteriors(
    results: "StudyResults", pairs: Sequence[tuple[str, str]], rope: float, score: ScoreKey
) -> tuple[list[Posterior], list[str]]:
    """Compare the pairs with enough finite scores, with notes on the others."""
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


def _of_test(test: FriedmanTest, base: str | None) -> Iterator[Table | str]:
    """Return one test: ranks, whether any differ, groups, pairs."""
    table = test.table()
    ranks = zip(table["learner"], table["rank"], strict=True)
    yield Table("", ("", ""), tuple((learner_name(key), number(rank, 3)) for key, rank in ranks))
    yield f"Friedman's chi-squared {test.chi2:.3f} on {test.df} degrees of freedom, {p_words(test.p)}"
    yield f"Iman and Davenport's F {test.F:.3f} on {test.df} and {test.df_error}, {p_words(test.p_F)}"
    groups = "; ".join(map(learner_list, test.groups)) or "no two learners"
    critical = f"critical difference {test.critical_difference:.3f}"
    yield f"not significantly different at {test.alpha:.0%} ({critical}): {groups}"
    pairs = test.pairs if base is None else test.against(base)
    columns = ("pair", "ranks", "z", "p", "p (Holm)", "p (Nemenyi)", "better")
    yield Table("", columns, tuple(_pair_row(pair, test.alpha) for pair in pairs))


def _pair_row(pair: RankDifference, alpha: float) -> tuple[Cell, ...]:
    winner = pair.learner if pair.difference < 0 else pair.other
    p_values = map(p_value, (pair.p, pair.p_holm, pair.p_nemenyi))
    numbers = (number(pair.difference, 3), number(pair.z, 2), *p_values)
    better = learner_name(winner) if pair.p_holm <= alpha else "-"
    return (_pair(pair), *numbers, better)


def _pair(one: "RankDifference | Posterior") -> str:
    return f"{learner_name(one.learner)} - {learner_name(one.other)}"


def _outcomes(found: "RopePosterior", learner: str) -> tuple[Cell, ...]:
    """Return the three probabilities and the decided outcome."""
    name = learner_name(learner)
    decision = {"worse": f"{name} worse", "better": f"{name} better", "equal": "equal", None: "-"}
    numbers = (found.p_worse, found.p_equal, found.p_better)
    return (*(number(p, 3) for p in numbers), decision[found.decision])


def _notes(found: Iterable[Posterior]) -> Iterator[Table | str]:
    """Return notes on what was left out and what has no spread, once for all pairs concerned."""
    pairs: dict[str, list[str]] = {}
    for one in found:
        for note in one.notes:
            pairs.setdefault(note, []).append(_pair(one))
    for note, own in pairs.items():
        yield f"{', '.join(own)}: {note}"


def _explained(results: "StudyResults", overall: Iterable[object]) -> Iterator[Table | str]:
    if results.design.blocks.independent:
        yield "probabilities by Student's t over truths, which are independent"
        return
    yield "on a data set: by Corani and Benavoli's correlated t over its parts"
    if any(one is not None for one in overall):
        yield "on all data sets: by Benavoli and others' signed ranks of the means over parts"


def _pairs(
    results: "StudyResults", learners: Sequence[str] | None, base: str | None
) -> list[tuple[str, str]]:
    wanted = at_least_two(with_base(results, learners, base))
    if base is None:
        return list(combinations(wanted, 2))
    return [(base, other) for other in wanted if other != base]


def with_base(results: "StudyResults", learners: Sequence[str] | None, base: str | None) -> list[str]:
    """List the learners to compare, including the base."""
    wanted = list(learners or results.study.compared_learners())
    return list(dict.fromkeys([*wanted, base] if base else wanted))


def at_least_two(wanted: list[str]) -> list[str]:
    """Return the learners to compare; raise if there is no pair."""
    if len(wanted) < 2:
        whom = f" with {wanted[0]}: name one more" if wanted else ": name two"
        raise WorkbenchError(f"no learner to compare{whom}")
    return wanted

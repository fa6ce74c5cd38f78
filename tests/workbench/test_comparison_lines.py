"""Ranks, posteriors and correlations as lines: every number is that of the analysis."""

import re

import numpy as np
import pytest

from workbench.analyses import Correlations, Posterior, Ranks
from workbench.comparison_lines import comparison_lines, correlation_lines, posterior_lines, rank_lines
from workbench.errors import WorkbenchError


@pytest.fixture(scope="module")
def on_truths(made_up):
    rng = np.random.default_rng(7)
    base = rng.normal(size=(9, 2))
    shifts = {"nb": 0.0, "tan": 0.3, "aode": 1.0}
    return made_up({"tan": {key: base + by + 0.2 * rng.normal(size=(9, 2)) for key, by in shifts.items()}})


def numbers(line):
    return re.findall(r"-?\d+\.\d+", line)


def test_ranks_are_those_of_the_analysis_at_each_size(on_truths):
    lines = list(rank_lines(on_truths))
    assert lines[0] == "ranks by ir_b, exact, prior marginal: bits, higher is better"
    tests = Ranks.of(on_truths).tests
    starts = [lines.index(f"9 truths at {size} rows; mean ranks, 1 is best") for size in tests]
    for start, test in zip(starts, tests.values(), strict=True):
        for i, (name, rank) in enumerate(test.table().itertuples(index=False)):
            assert lines[start + 1 + i].split() == [name, f"{rank:.3f}"]
        own = lines[start : start + 14]
        assert any(f"F {test.F:.3f} on {test.df} and {test.df_error}" in line for line in own)
        for pair in test.pairs:
            line = next(line for line in own if line.startswith(f"{pair.learner} - {pair.other} "))
            assert numbers(line)[0] == f"{pair.difference:.3f}"
            winner = pair.learner if pair.difference < 0 else pair.other
            assert line.split()[-1] == (winner if pair.p_holm <= 0.05 else "-")
    assert sum("not told apart at 5%" in line for line in lines) == 2


def test_ranks_with_a_base_hold_only_its_pairs(on_truths):
    lines = list(rank_lines(on_truths, base="tan", learners=["nb", "aode"]))
    pairs = [line.split("  ")[0].strip() for line in lines if " - " in line]
    assert pairs == ["tan - nb", "tan - aode"] * 2
    first = Ranks.of(on_truths).tests[50].against("tan")[0]
    assert (first.learner, first.other) == ("tan", "nb")
    assert numbers(next(line for line in lines if "tan - nb" in line))[3] == f"{first.p_holm:.4f}"
    assert any("p (Holm): over the pairs with tan" in line for line in lines)


def test_posteriors_are_those_of_the_analysis(on_truths):
    lines = list(posterior_lines(on_truths, rope=0.1, base="nb"))
    for other in ("tan", "aode"):
        found = Posterior.of(on_truths, "nb", other, rope=0.1)
        for (_, size), one in found.places.items():
            line = next(x for x in lines if x.startswith(f"tan, {size} rows") and f"nb - {other}" in x)
            expected = [f"{one.mean:.4f}", *(f"{p:.3f}" for p in (one.p_worse, one.p_equal, one.p_better))]
            assert numbers(line) == expected
            assert line.split()[-1] == (one.decision or "-")
    assert not any("tan - aode" in line for line in lines)
    assert "equal: differences up to 0.1; decision: what has probability 0.95 or more" in lines


def test_posteriors_over_all_tables_stand_below_those_of_each(on_tables):
    lines = list(posterior_lines(on_tables, rope=0.02, metric="accuracy"))
    (overall,) = [line for line in lines if line.startswith("all 2 tables")]
    found = Posterior.of(on_tables, "nb", "tree", rope=0.02, metric="accuracy").overall
    assert numbers(overall) == [f"{p:.3f}" for p in (found.p_worse, found.p_equal, found.p_better)]
    assert lines.index(overall) == 4
    assert lines[2].startswith("iris")
    assert any("correlated t over its parts" in line for line in lines)


def test_ranks_over_tables_have_no_size(on_tables):
    lines = list(rank_lines(on_tables, metric="accuracy", learners=["nb", "tree", "prior"]))
    assert "2 tables; mean ranks, 1 is best" in lines
    assert [line.split()[0] for line in lines if line.split()[-1:] == ["3.000"]] == ["prior"]


def test_correlations_have_tables_down_and_learners_across(on_tables):
    lines = list(correlation_lines(on_tables, metrics=["accuracy", "ir_b", "log_loss"], cutoff="none"))
    start = lines.index("accuracy, test; ir_b, test, prior training")
    matrix = Correlations.of(on_tables, ["accuracy", "ir_b"], cutoff="none").matrix("accuracy", "ir_b")
    assert lines[start + 1].split() == ["nb", "tree"]
    assert lines[start + 2].split() == ["iris", f"{matrix.loc['iris', 'nb']:.3f}", "-"]
    assert any(line.startswith("no correlation of accuracy and log_loss for tree on iris") for line in lines)


def test_a_word_chooses_the_comparison(on_truths):
    assert list(comparison_lines(on_truths, "friedman", base="nb")) == list(rank_lines(on_truths, base="nb"))
    posterior = list(posterior_lines(on_truths, rope=0.1))
    assert list(comparison_lines(on_truths, "bayes", rope=0.1)) == posterior
    assert list(comparison_lines(on_truths, None, rope=0.1)) == posterior


@pytest.mark.parametrize(
    "test, options, message",
    [
        ("freedman", {}, "'freedman' is no test here: did you mean 'friedman'"),
        ("friedman", {"rope": 0.1}, "ranks know no region of practical equivalence: leave out --rope"),
        ("bayes", {}, "the bayes test needs --rope"),
        ("bayes", {"rope": -1.0}, "rope is -1.0: give the largest difference that does not matter"),
        ("bayes", {"rope": 0.1, "learners": ["nb"]}, "no learner to compare with nb: name one more"),
        ("bayes", {"rope": 0.1, "base": "c45"}, "there is no learner 'c45' here"),
        ("friedman", {"base": "c45"}, "there is no learner 'c45' here"),
        ("friedman", {"metric": "acc"}, "there is no metric 'acc' here"),
    ],
)
def test_what_cannot_be_compared_is_told_in_one_sentence(on_truths, test, options, message):
    with pytest.raises(WorkbenchError, match=message) as caught:
        list(comparison_lines(on_truths, test, **options))
    assert "\n" not in str(caught.value)


def test_a_base_without_scores_is_told(made_up):
    scores = np.random.default_rng(8).normal(size=(4, 2))
    results = made_up({"tan": {"a": scores, "b": scores + 1, "c": np.full((4, 2), np.nan)}})
    with pytest.raises(WorkbenchError, match="c is not ranked: c is not ranked at 50 rows: it has no score"):
        list(rank_lines(results, base="c"))

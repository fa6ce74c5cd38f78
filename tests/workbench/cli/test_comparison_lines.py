"""Ranks, posteriors and correlations as lines: every number is that of the analysis."""

import re

import numpy as np
import pytest

from workbench.analyses import Correlations, Posterior, Ranks
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_name
from workbench.report.renderers.terminal import lines_of
from workbench.report.terminal.comparison import comparison_parts, posterior_parts, rank_parts
from workbench.report.terminal.correlations import correlation_parts


@pytest.fixture(scope="module")
def on_truths(made_up):
    rng = np.random.default_rng(7)
    base = rng.normal(size=(9, 2))
    shifts = {"nb": 0.0, "tan": 0.3, "aode": 1.0}
    return made_up({"tan": {key: base + by + 0.2 * rng.normal(size=(9, 2)) for key, by in shifts.items()}})


def numbers(line):
    return re.findall(r"-?\d+\.\d+", line)


def test_ranks_are_those_of_the_analysis_at_each_size(on_truths):
    lines = list(lines_of(rank_parts(on_truths)))
    assert lines[0] == "ranks by IR_B (exact, marginal prior): bits, higher is better"
    tests = Ranks.of(on_truths).tests
    starts = [lines.index(f"9 truths at {size} rows, mean ranks (1 is best)") for size in tests]
    for start, test in zip(starts, tests.values(), strict=True):
        for i, (name, rank) in enumerate(test.table().itertuples(index=False)):
            assert re.split(r"\s{2,}", lines[start + 1 + i]) == [learner_name(name), f"{rank:.3f}"]
        own = lines[start : start + 14]
        assert any(f"F {test.F:.3f} on {test.df} and {test.df_error}" in line for line in own)
        for pair in test.pairs:
            line = next(
                line
                for line in own
                if line.startswith(f"{learner_name(pair.learner)} - {learner_name(pair.other)} ")
            )
            assert numbers(line)[0] == f"{pair.difference:.3f}"
            winner = pair.learner if pair.difference < 0 else pair.other
            assert re.split(r"\s{2,}", line)[-1] == (learner_name(winner) if pair.p_holm <= 0.05 else "-")
    assert sum("not significantly different at 5%" in line for line in lines) == 2


def test_ranks_with_a_base_hold_only_its_pairs(on_truths):
    lines = list(lines_of(rank_parts(on_truths, base="tan", learners=["nb", "aode"])))
    pairs = [line.split("  ")[0].strip() for line in lines if " - " in line]
    assert pairs == ["TAN - naive Bayes", "TAN - AODE"] * 2
    first = Ranks.of(on_truths).tests[50].against("tan")[0]
    assert (first.learner, first.other) == ("tan", "nb")
    assert numbers(next(line for line in lines if "TAN - naive Bayes" in line))[3] == f"{first.p_holm:.4f}"
    assert any("p (Holm): over the pairs with TAN" in line for line in lines)


def test_posteriors_are_those_of_the_analysis(on_truths):
    lines = list(lines_of(posterior_parts(on_truths, rope=0.1, base="nb")))
    for other in ("tan", "aode"):
        found = Posterior.of(on_truths, "nb", other, rope=0.1)
        for (_, size), one in found.places.items():
            line = next(
                x
                for x in lines
                if x.startswith(f"TAN, {size} rows") and f"naive Bayes - {other.upper()}" in x
            )
            expected = [f"{one.mean:.4f}", *(f"{p:.3f}" for p in (one.p_worse, one.p_equal, one.p_better))]
            assert numbers(line) == expected
            decided = {
                "worse": "naive Bayes worse",
                "better": "naive Bayes better",
                "equal": "equal",
                None: "-",
            }
            assert line.split("  ")[-1] == decided[one.decision]
    assert not any("TAN - AODE" in line for line in lines)
    assert any("probabilities for the first" in line for line in lines)
    assert any("differences up to 0.1" in line and "at least 0.95" in line for line in lines)


def test_posteriors_over_all_tables_stand_below_those_of_each(on_datasets):
    lines = list(lines_of(posterior_parts(on_datasets, rope=0.02, score="accuracy")))
    (overall,) = [line for line in lines if line.startswith("all 2 data sets")]
    posterior = Posterior.of(on_datasets, "nb", "tree", rope=0.02, score="accuracy")
    found, mean = posterior.overall, posterior.table["difference"].mean()
    expected = [f"{mean:.4f}", *(f"{p:.3f}" for p in (found.p_worse, found.p_equal, found.p_better))]
    assert numbers(overall) == expected
    assert lines.index(overall) == 4
    assert lines[2].startswith("iris")
    assert any("correlated t over its parts" in line for line in lines)


def test_a_pair_without_finite_scores_is_reported_and_the_others_are_printed(made_up):
    rng = np.random.default_rng(9)
    scores = {key: rng.normal(size=(5, 2)) for key in ("nb", "tan", "cart")}
    scores["cart"][:4] = -np.inf
    lines = list(lines_of(posterior_parts(made_up({"tan": scores}), rope=0.1)))
    assert [line.split("  ")[1].strip() for line in lines[2:4]] == ["naive Bayes - TAN"] * 2
    notes = [line for line in lines if "too few finite scores" in line]
    assert [line.split(" have ")[0] for line in notes] == ["naive Bayes and CART", "TAN and CART"]
    assert all(
        "tan with 50 rows is left out: 1 of 5 truths with finite scores of both" in line for line in notes
    )
    with pytest.raises(
        WorkbenchError, match=r"^CART and naive Bayes have too few finite scores .*; CART and TAN have"
    ):
        list(lines_of(posterior_parts(made_up({"tan": scores}), rope=0.1, base="cart")))


def test_correlations_have_tables_down_and_learners_across(on_datasets):
    lines = list(
        lines_of(correlation_parts(on_datasets, metrics=["accuracy", "ir_b", "log_loss"], score="///none"))
    )
    start = lines.index("accuracy (test rows); IR_B (test rows, training prior)")
    found = Correlations.of(on_datasets, ["accuracy", "ir_b"], score="///none")
    nb = found.table.iloc[0]
    assert (nb["source"], nb["learner"]) == ("iris", "nb")
    assert found.matrix("accuracy", "ir_b").loc["iris", "nb"] == nb["r"]
    assert lines[start + 1].split() == ["n", "naive", "Bayes", "tree"]
    interval = [f"({nb['low']:.3f},", f"{nb['high']:.3f})"]
    assert lines[start + 2].split() == ["iris", "6", f"{nb['r']:.3f}", *interval, "-"]
    assert "Pearson's correlation over the parts of each data set, of the scores as measured" in lines
    assert "in brackets the single 95% intervals, from 4 on; n: parts" in lines
    unjudged = [line for line in lines if line.startswith("no correlation of ")]
    assert any(
        line.startswith("no correlation of log loss with accuracy, IR_B for tree on") for line in unjudged
    ) or (
        any(line.startswith("no correlation of accuracy and log loss for tree on iris") for line in unjudged)
    )


@pytest.mark.parametrize(
    "test, options, message",
    [
        ("freedman", {}, "unknown test 'freedman'; did you mean 'friedman'"),
        ("friedman", {"rope": 0.1}, "ranks have no region of practical equivalence: leave out --rope"),
        ("bayes", {}, "the bayes test needs --rope"),
        ("bayes", {"rope": -1.0}, "rope is -1.0"),
        ("bayes", {"rope": 0.1, "learners": ["nb"]}, "no learner to compare with nb"),
        ("friedman", {"base": "c45"}, "unknown learner 'c45'"),
        ("friedman", {"score": "acy"}, "unknown metric 'acy'"),
    ],
)
def test_what_cannot_be_compared_is_reported_in_one_sentence(on_truths, test, options, message):
    with pytest.raises(WorkbenchError, match=message) as caught:
        list(lines_of(comparison_parts(on_truths, test, **options)))
    assert "\n" not in str(caught.value)

"""1R and the decision stump against what Weka prints, and on tables with nothing in them.

Printed models and ours, all of the two schemes that the reference has:

| table | OneR | DecisionStump |
|---|---|---|
| weather.nominal, contact-lenses, iris, labor, vote, glass | equal | equal |
| weather.numeric | equal, with -B 3 too | equal |

Equal means, of OneR: attribute, values or cuts, classes, rows right; of DecisionStump: attribute, split,
classes and probabilities of all three branches. No exception. Two answers differ on purpose where Weka
prints nothing: our probabilities of 1R are frequencies, Weka's are 0 and 1; and a value that no training
row shows gets the most frequent class, with Weka the first one.
"""

import re
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners import DecisionStumpClassifier, OneRClassifier
from learners.rules._kernels.intervals import entropy_cut
from learners.tables._kernels.one_r import one_r_cuts

TABLES = ("weather.nominal", "weather.numeric", "contact-lenses", "iris", "labor", "vote", "glass")


@pytest.fixture
def printed(golden: Path) -> dict[tuple[str, str], str]:
    return printed_models(golden)


def rules_of_weka(block: str) -> tuple[str, list[tuple[str, str]], int]:
    """Read attribute, (value or bound, class), and rows right."""
    attribute = block.split(":\n")[0]
    rules = re.findall(r"^\t(.+?)\t-> (.+)$", block, flags=re.M)
    return attribute, rules, int(re.search(r"\((\d+)/", block)[1])


def rules_of_ours(learner: OneRClassifier) -> list[tuple[str, str]]:
    split, table = learner.split_, learner.rules_table()
    names = list(table["rule"])
    if split.cuts.size:
        bounds = [f"< {cut!r}" for cut in split.cuts.tolist()]
        names[: len(bounds) + 1] = [*bounds, f">= {split.cuts[-1].item()!r}"]
    names = [name.removeprefix("= ").replace("missing", "?") for name in names]
    return list(zip(names, table["class"].astype(str), strict=True))


def numbered(rules: list[tuple[str, str]]) -> list[tuple[str, float | str, str]]:
    """Turn bounds into numbers, since they are formatted differently."""
    return [
        (value[:2].strip(), float(value.split()[1]), label) if value[0] in "<>" else ("", value, label)
        for value, label in rules
    ]


def printed_models(golden: Path) -> dict[tuple[str, str], str]:
    """Return the block of each table and scheme."""
    text = (golden / "weka_one_attribute.md").read_text()
    blocks = re.findall(r"^## (\S+) / (\S+)$.*?```\n(.*?)```", text, flags=re.M | re.S)
    return {(table, scheme): block for table, scheme, block in blocks}


def assert_same_rule(learner: OneRClassifier, block: str) -> None:
    """Compare attribute, values or cuts, classes, and the rows right."""
    attribute, rules, right = rules_of_weka(block)
    assert learner.attribute_ == attribute
    ours, weka = numbered(rules_of_ours(learner)), numbered(rules)
    assert [(a, c) for a, _, c in ours] == [(a, c) for a, _, c in weka]
    for (_, a, _), (_, b, _) in zip(ours, weka, strict=True):
        assert a == (b if isinstance(b, str) else pytest.approx(b, abs=1e-9))
    assert learner.split_.right == right


def assert_same_stump(learner: DecisionStumpClassifier, block: str) -> None:
    """Compare attribute, split, and classes and probabilities of all three branches."""
    first = re.search(r"Classifications\n\n(.+) (=|<=) (.+) : ", block)
    assert learner.attribute_ == first[1]
    if first[2] == "<=":
        assert learner.split_.cuts == pytest.approx([float(first[3])], abs=1e-9)
    else:
        assert learner.split_.labels == (f"{first[2]} {first[3]}", f"!= {first[3]}")
    lines = block.split("Class distributions")[1].strip().split("\n")
    labels = lines[1].split("\t")
    shares = np.array([line.split("\t") for line in lines[2::3]], dtype=float)
    groups = learner._of_group[:, [learner.classes_.tolist().index(label) for label in labels]]
    np.testing.assert_allclose(groups, shares, atol=1e-12)
    best = re.findall(r" : (.+)$", block.split("Class distributions")[0], flags=re.M)
    order = learner._declared_order
    found = learner.classes_[order[learner._of_group[:, order].argmax(axis=1)]]
    assert found.tolist() == best


class TestOneR:
    @pytest.mark.parametrize(
        ("table", "scheme", "small"),
        [*((table, "OneR", 6) for table in TABLES), ("weather.numeric", "OneR_B3", 3)],
    )
    def test_has_the_rule_that_weka_prints(self, table, scheme, small, printed, reference_table) -> None:
        X, y = reference_table(table)
        learner = OneRClassifier(small=small).fit(X, y)
        assert_same_rule(learner, printed[table, scheme])
        assert learner.split_.right == (learner.predict(X) == y.to_numpy()).sum()

    def test_every_printed_rule_is_compared(self, printed) -> None:
        assert {table for table, scheme in printed if scheme == "OneR"} == set(TABLES)
        assert {scheme for _, scheme in printed} == {"OneR", "OneR_B3", "DecisionStump"}

    @pytest.mark.parametrize(
        "table", ["weather.nominal", "weather.numeric", "iris", "labor", "vote", "contact-lenses"]
    )
    def test_has_the_worked_counts(self, table, golden, reference_table) -> None:
        worked = pd.read_csv(golden / "rules_worked_examples.csv", comment="#")
        X, y = reference_table(table)
        for line in worked[(worked.learner == "1R") & (worked.example == table)].itertuples():
            learner = OneRClassifier(small=3 if "SMALL 3" in line.quantity else 6)
            columns = [name for name in X if re.search(rf"\b{name}\b", line.quantity)]
            learner.fit(X if "best" in line.quantity else X[columns], y)
            assert [learner.attribute_] == columns
            assert learner.split_.right == float(line.value)

    def test_probabilities_are_the_frequencies_of_the_value(self, reference_table) -> None:
        X, y = reference_table("weather.nominal")
        forecast = OneRClassifier().fit(X, y).predict_proba(X)  # classes no, yes
        np.testing.assert_allclose(forecast[X["outlook"] == "sunny"], [[0.6, 0.4]] * 5)
        np.testing.assert_array_equal(forecast[X["outlook"] == "overcast"], [[0.0, 1.0]] * 4)

    def test_a_missing_value_gives_the_empty_set_or_the_class_of_the_program(self, reference_table) -> None:
        X, y = reference_table("labor")
        learner = OneRClassifier().fit(X, y)
        hole = X[learner.attribute_].isna().to_numpy()
        assert hole.sum() == 1
        assert learner.predict_set(X).sum(axis=1).tolist() == (~hole).astype(int).tolist()
        filled = OneRClassifier(missing_sets="predicted").fit(X, y)
        assert filled.classes_[filled.predict_set(X).argmax(axis=1)].tolist() == filled.predict(X).tolist()
        assert filled.predict(X[hole]).tolist() == ["good"]
        np.testing.assert_array_equal(filled.predict_proba(X), learner.predict_proba(X))

    def test_a_value_that_training_does_not_show_gets_the_prior(self) -> None:
        X = pd.DataFrame({"sky": pd.Categorical(["sun", "rain", "rain"], categories=["sun", "rain", "fog"])})
        learner = OneRClassifier().fit(X, ["a", "b", "b"])
        fog = pd.DataFrame({"sky": pd.Categorical(["fog"], categories=["sun", "rain", "fog"])})
        np.testing.assert_allclose(learner.predict_proba(fog), [[1 / 3, 2 / 3]])
        assert learner.predict_set(fog).tolist() == [[False, True]]

    def test_a_number_equal_to_a_cut_goes_above_it(self) -> None:
        learner = OneRClassifier(small=1).fit([[1.0], [3.0]], ["a", "b"])
        assert learner.split_.cuts.tolist() == [2.0]
        assert learner.predict([[1.999], [2.0]]).tolist() == ["a", "b"]

    def test_bad_parameters_are_refused(self) -> None:
        with pytest.raises(ValueError, match=r"missing_sets.*'none'"):
            OneRClassifier(missing_sets="none").fit([[1.0]], ["a"])
        with pytest.raises(ValueError, match=r"small.*0"):
            OneRClassifier(small=-1).fit([[1.0]], ["a"])


class TestDecisionStump:
    @pytest.mark.parametrize("table", TABLES)
    def test_has_the_split_and_the_probabilities_that_weka_prints(
        self, table, printed, reference_table
    ) -> None:
        X, y = reference_table(table)
        learner = DecisionStumpClassifier(split="binary", missing_sets="predicted").fit(X, y)
        assert_same_stump(learner, printed[table, "DecisionStump"])

    def test_values_are_those_of_one_r(self, reference_table) -> None:
        X, y = reference_table("glass")
        stump, one_r = DecisionStumpClassifier().fit(X, y), OneRClassifier().fit(X, y)
        assert stump.export_text() == one_r.export_text()
        np.testing.assert_array_equal(stump.predict_proba(X), one_r.predict_proba(X))

    def test_bins_have_equal_width(self, reference_table) -> None:
        X, y = reference_table("iris")
        stump = DecisionStumpClassifier(bins=4).fit(X, y)
        x = X[stump.attribute_]
        np.testing.assert_allclose(stump.split_.cuts, np.linspace(x.min(), x.max(), 5)[1:-1])
        assert stump.split_.right == (stump.predict(X) == y.to_numpy()).sum()

    def test_bad_parameters_are_refused(self) -> None:
        with pytest.raises(ValueError, match=r"split.*'gini'"):
            DecisionStumpClassifier(split="gini").fit([[1.0]], ["a"])
        with pytest.raises(ValueError, match=r"bins.*None.*2"):
            DecisionStumpClassifier(bins=1).fit([[1.0]], ["a"])


def plain_one_r_cuts(x, y, weight, n_classes, small, joined) -> list[float]:
    """Make one interval a value, join from the left, then join neighbors with the same class if asked for."""
    weight = weight if weight.size else np.ones(len(x))
    values = np.unique(x)
    counts = [np.bincount(y[x == v], weight[x == v], n_classes) for v in values]
    parts = []
    for value, count in zip(values, counts, strict=True):
        if parts and (parts[-1][1].argmax() == count.argmax() or parts[-1][1].max() < small):
            parts[-1] = (parts[-1][0] + [value], parts[-1][1] + count)
        else:
            parts.append(([value], count))
    cuts = []
    for (low, a), (high, b) in pairwise(parts):
        if not joined or a.argmax() != b.argmax():
            cuts.append((low[-1] + high[0]) / 2)
    return cuts


COLUMNS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 2), st.integers(1, 4)), min_size=0, max_size=60
).map(lambda rows: sorted(rows))


def column_of(rows) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    x, y, weight = (np.array(part) for part in zip(*rows, strict=True)) if rows else (np.empty(0),) * 3
    return x.astype(float), y.astype(np.intp), weight.astype(float)


class TestKernels:
    @given(COLUMNS, st.sampled_from([0, 1, 3, 6]), st.booleans(), st.booleans())
    def test_intervals_agree_with_a_plain_twin(self, rows, small, weighted, joined) -> None:
        x, y, weight = column_of(rows)
        weight = weight if weighted else np.empty(0)
        found = one_r_cuts(x, y, weight, 3, small, joined).tolist()
        assert found == plain_one_r_cuts(x, y, weight, 3, small, joined)

    @given(COLUMNS, st.booleans())
    def test_the_entropy_cut_agrees_with_a_plain_twin(self, rows, weighted) -> None:
        x, y, weight = column_of(rows)
        w = weight if weighted else np.ones(len(x))
        best, want = np.inf, np.nan
        for low, high in zip(np.unique(x)[:-1], np.unique(x)[1:], strict=True):
            cost = 0.0
            for side in (x <= low, x >= high):
                counts = np.bincount(y[side], w[side])
                counts = counts[counts > 0]
                cost -= (counts * np.log(counts / counts.sum())).sum()
            if cost < best - 1e-9:
                best, want = cost, (low + high) / 2
        cut, entropy = entropy_cut(x, y, weight if weighted else np.empty(0), 3)
        np.testing.assert_equal(cut, want)
        assert entropy == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize(
    "make",
    [OneRClassifier, DecisionStumpClassifier, partial(DecisionStumpClassifier, split="binary")],
    ids=["OneR", "stump", "binary stump"],
)
class TestNothingToTell:
    @pytest.mark.parametrize(
        "X",
        [
            pd.DataFrame({"a": [1.0] * 4}),
            pd.DataFrame({"a": [np.nan] * 4, "b": pd.Categorical([None] * 4, categories=["x", "y"])}),
            pd.DataFrame({"a": pd.Categorical(["x"] * 4, categories=["x", "y"])}),
        ],
        ids=["constant", "all missing", "one value"],
    )
    def test_the_class_frequencies_are_all_that_is_left(self, make, X) -> None:
        learner = make().fit(X, list("abbb"))
        assert learner.attribute_ is None
        np.testing.assert_allclose(learner.predict_proba(X), [[0.25, 0.75]] * 4)
        assert learner.predict_set(X).tolist() == [[False, True]] * 4
        assert learner.export_text() == "no attribute\n    any -> b  (3 of 4)"

    @pytest.mark.filterwarnings("ignore::learners.tables.columns.IntegerColumnWarning")
    def test_many_values(self, make) -> None:
        rng = np.random.default_rng(0)
        X = np.column_stack([rng.integers(0, 1000, 4000), rng.integers(0, 3, 4000)])
        learner = make().fit(X, X[:, 1] == 2)
        assert learner.predict_proba(X).shape == (4000, 2)
        assert learner.score(X, X[:, 1] == 2) == 1.0

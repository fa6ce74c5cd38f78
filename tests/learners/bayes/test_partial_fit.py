"""Rows in batches: what one fit would have found."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners import AnDEClassifier, AODEClassifier, NaiveBayesClassifier, PriorClassifier, TANClassifier
from learners.base import TrainingTable
from learners.bayes._shared.moments import ClassMoments
from learners.bayes._shared.triple_counts import TripleCounts
from learners.counts.counts import ValueCounts, moved_slots, spread_counts
from learners.tables.columns import IntegerColumnWarning


def batches(n_samples, n_batches, seed):
    ends = np.sort(np.random.default_rng(seed).choice(np.arange(1, n_samples), n_batches - 1, replace=False))
    return np.split(np.arange(n_samples), ends)


def learn_in_batches(learner, X, y, n_batches, weight=None, seed=0):
    classes = np.unique(y)
    for rows in batches(len(y), n_batches, seed):
        part = X.iloc[rows] if isinstance(X, pd.DataFrame) else X[rows]
        learner.partial_fit(part, y[rows], classes, None if weight is None else weight[rows])
    return learner


def growing_codes(seed, n_samples=90):
    """Codes whose largest values come late, with holes."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2 + np.arange(n_samples)[:, None] // 15, (n_samples, 3))
    X[rng.random(X.shape) < 0.1] = -1
    return X, rng.integers(0, 3, n_samples)


class TestNominalTables:
    @given(
        st.integers(0, 10**6),
        st.integers(1, 20),
        st.sampled_from(["laplace", "friedman", "backoff"]),
        st.sampled_from(["none", "whole", "real"]),
    )
    def test_any_split_of_growing_codes_is_one_fit_to_the_bit(self, seed, n_batches, smoothing, weights):
        X, y = growing_codes(seed)
        rng = np.random.default_rng(seed)
        weight = {"none": None, "whole": rng.integers(0, 3, 90) + (y == 0), "real": rng.random(90)}[weights]
        if weights == "whole":
            weight = np.maximum(weight, 1)
        once = NaiveBayesClassifier(alpha=0.3, smoothing=smoothing).fit(X, y, sample_weight=weight)
        parts = learn_in_batches(
            NaiveBayesClassifier(alpha=0.3, smoothing=smoothing), X, y, n_batches, weight, seed
        )
        assert parts.arities_.tolist() == once.arities_.tolist()
        np.testing.assert_array_equal(parts._counts.values.by_slot, once._counts.values.by_slot)
        np.testing.assert_array_equal(parts.class_prior_, once.class_prior_)
        np.testing.assert_array_equal(parts.predict_proba(X), once.predict_proba(X))

    @pytest.mark.parametrize("kind", ["text", "declared", "frame of text", "declared late"])
    def test_labels_of_a_later_batch_are_sorted_in(self, kind):
        codes, y = growing_codes(4)
        text = np.array(["f", "b", "h", "a", "d", "g", "c", "e", None], dtype=object)[codes]
        X = pd.DataFrame(text, columns=list("uvw"))
        if kind == "text":
            X = text
        if kind == "declared":
            X = X.apply(lambda column: pd.Categorical(column, categories=list("hgfedcba")))
        once = NaiveBayesClassifier().fit(X, y)
        parts = NaiveBayesClassifier()
        for rows in np.split(np.arange(90), 9):
            part = X.iloc[rows] if isinstance(X, pd.DataFrame) else X[rows]
            if kind == "declared late":
                part = part.apply(lambda column: pd.Categorical(column))
            parts.partial_fit(part, y[rows], [0, 1, 2])
        if kind != "declared late":  # a dtype that declares too little keeps its order, new values go last
            assert [a.states for a in parts._schema.attributes] == [a.states for a in once._schema.attributes]
            np.testing.assert_array_equal(parts._counts.values.by_slot, once._counts.values.by_slot)
        np.testing.assert_array_equal(parts.predict_proba(X), once.predict_proba(X))

    def test_a_column_without_any_value_in_the_first_batch_grows(self):
        X = pd.DataFrame({"a": [None, None, "x", "y"]}, dtype=object)
        learner = NaiveBayesClassifier()
        for rows in (slice(0, 2), slice(2, 4)):
            learner.partial_fit(X[rows], [0, 1], classes=[0, 1])
        once = NaiveBayesClassifier().fit(X, [0, 1, 0, 1])
        np.testing.assert_array_equal(learner.predict_proba(X), once.predict_proba(X))

    def test_declared_arities_hold_and_are_kept(self):
        learner = NaiveBayesClassifier(arities=[4]).partial_fit([[0], [1]], [0, 1], classes=[0, 1])
        assert learner.arities_.tolist() == [4]
        with pytest.raises(ValueError, match=r"holds.*4.*arities.*4"):
            learner.partial_fit([[4]], [0])

    def test_a_refused_batch_leaves_the_learner_as_it_was(self):
        X, y = growing_codes(0)
        learner = NaiveBayesClassifier().fit(X, y)
        before = learner.predict_proba(X)
        for bad in ([[0, 0, -2]], [[0, 0, 99_999]]):
            with pytest.raises(ValueError, match=r"0.*65,535"):
                learner.partial_fit(bad, [0])
        with pytest.raises(ValueError, match=r"y holds.*class.*7"):
            learner.partial_fit([[9, 9, 9]], [7])
        np.testing.assert_array_equal(learner.predict_proba(X), before)

    def test_fit_begins_again_and_partial_fit_goes_on(self):
        X, y = growing_codes(1)
        first = NaiveBayesClassifier().fit(X[:40], y[:40])
        np.testing.assert_array_equal(
            first.partial_fit(X[40:], y[40:]).predict_proba(X),
            NaiveBayesClassifier().fit(X, y).predict_proba(X),
        )
        np.testing.assert_array_equal(
            first.fit(X[:40], y[:40]).predict_proba(X[:40]),
            NaiveBayesClassifier().fit(X[:40], y[:40]).predict_proba(X[:40]),
        )


def test_a_warning_points_at_the_line_of_the_user():
    X = pd.DataFrame({"grade": [1, 2, 3]})
    for verb in ("fit", "partial_fit", "count"):
        with pytest.warns(IntegerColumnWarning) as caught:
            getattr(NaiveBayesClassifier(), verb)(X, pd.Categorical(["a", "b", "a"]))
        assert [each.filename for each in caught] == [__file__]


class TestClasses:
    def test_are_named_in_the_first_call(self):
        for Learner in [NaiveBayesClassifier, PriorClassifier, TANClassifier, AODEClassifier]:
            with pytest.raises(ValueError, match=r"classes.*partial_fit"):
                Learner().partial_fit([[0]], ["a"])
            learner = Learner().partial_fit([[0]], ["b"], classes=["c", "b", "a"])
            assert learner.classes_.tolist() == ["a", "b", "c"]
            learner.partial_fit([[0]], ["c"]).partial_fit([[0]], ["c"], classes=["a", "b", "c"])
            with pytest.raises(ValueError, match="classes"):
                learner.partial_fit([[0]], ["c"], classes=["a", "b"])

    def test_may_be_declared_by_the_dtype(self):
        y = pd.Categorical(["no"], categories=["yes", "no"])
        for classes in (None, ["no", "yes"]):
            learner = NaiveBayesClassifier().partial_fit([[0]], y, classes)
            assert learner.classes_.tolist() == ["no", "yes"]
            learner.partial_fit([[0]], ["yes"])  # a tie, which goes to the class declared first
            assert learner.predict([[0]]).tolist() == ["yes"]

    def test_keep_their_type(self):
        learner = PriorClassifier().partial_fit([[0]], [1.0], classes=[2, 1])
        assert learner.predict([[0]]).dtype == np.dtype(int)


class TestNumericTables:
    @given(st.integers(0, 10**6), st.integers(1, 30), st.booleans())
    def test_moments_are_joined_exactly(self, seed, n_batches, weighted):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(80, 2)) * [1.0, 50.0] + [100.0, -3.0]
        X[rng.random(X.shape) < 0.2] = np.nan
        y, weight = rng.integers(0, 3, 80), rng.random(80) + 0.1 if weighted else None
        once = NaiveBayesClassifier(numeric="gaussian").fit(X, y, sample_weight=weight)
        parts = learn_in_batches(NaiveBayesClassifier(numeric="gaussian"), X, y, n_batches, weight, seed)
        np.testing.assert_allclose(parts.means_, once.means_, rtol=1e-12)
        np.testing.assert_allclose(parts.variances_, once.variances_, rtol=1e-12)
        np.testing.assert_allclose(parts.predict_proba(X), once.predict_proba(X), atol=1e-12)

    def test_the_first_batch_fixes_what_cannot_be_joined(self):
        for numeric in ["weka", "kernel", "mdlp"]:
            rng = np.random.default_rng(0)
            y = rng.integers(0, 2, 400)
            X = (rng.normal(size=(400, 2)) + y[:, None]).round(1)
            learner = NaiveBayesClassifier(numeric=numeric).fit(X[:200], y[:200])
            kept = learner.cut_points_ if numeric == "mdlp" else learner._densities.precisions
            learner.partial_fit(X[200:], y[200:])
            again = learner.cut_points_ if numeric == "mdlp" else learner._densities.precisions
            assert again is kept
            # the first batch seen last, under the same cuts or precision: the same forecasts
            other = NaiveBayesClassifier(numeric=numeric).fit(X[:200], y[:200])
            for rows in np.split(np.arange(200, 400), 8):
                other.partial_fit(X[rows], y[rows])
            np.testing.assert_allclose(other.predict_proba(X), learner.predict_proba(X), atol=1e-12)

    def test_where_the_first_batch_shows_all_values_a_kernel_learner_is_that_of_one_fit(self):
        X, y = np.tile(np.arange(6.0), 20)[:, None], np.random.default_rng(0).integers(0, 2, 120)
        for numeric in ("weka", "kernel"):
            parts = learn_in_batches(NaiveBayesClassifier(numeric=numeric), X, y, 2, seed=1)
            once = NaiveBayesClassifier(numeric=numeric).fit(X, y)
            np.testing.assert_allclose(parts.predict_proba(X), once.predict_proba(X), atol=1e-12)

    def test_mixed_tables_grow_with_cuts(self):
        rng = np.random.default_rng(2)
        y = rng.integers(0, 2, 300)
        late = np.where(np.arange(300) < 150, "a", "b").astype(object)
        X = pd.DataFrame({"x": rng.normal(size=300) + 3 * y, "late": late})
        learner = NaiveBayesClassifier(numeric="mdlp").partial_fit(X[:150], y[:150], classes=[0, 1])
        n_intervals = len(learner.cut_points_["x"]) + 1
        assert learner.arities_.tolist() == [n_intervals, 1]
        learner.partial_fit(X[150:], y[150:])
        assert learner.arities_.tolist() == [n_intervals, 2]
        assert learner.score(X, y) > 0.85


class TestCounts:
    def test_of_two_machines_are_added(self):
        table = TrainingTable(
            np.array([[0, 1, 2]], np.uint8), np.empty((0, 3)), np.array([2]), np.array([0, 1, 1]), 2, None
        )
        counts = ValueCounts.of(table)
        np.testing.assert_array_equal(counts.merged(counts).by_slot, counts.plus(table).by_slot)
        with pytest.raises(ValueError, match=r"arities \[2\].*\[3\].*Widen"):
            counts.merged(counts.widened([np.arange(2)], np.array([3])))

    def test_of_pairs_keep_their_cells_when_values_come_between(self):
        arities, wider = np.array([2, 1]), np.array([3, 2])
        slots = moved_slots([np.array([0, 2]), np.array([1])], wider)
        assert slots.tolist() == [0, 2, 3, 5, 6]
        pairs = np.random.default_rng(0).random((int((arities + 1).sum()),) * 2 + (3,))
        spread = spread_counts(pairs, slots, int((wider + 1).sum()), n_axes=2)
        np.testing.assert_array_equal(spread[np.ix_(slots, slots)], pairs)
        assert spread.sum() == pytest.approx(pairs.sum())

    def test_moments_of_nothing_leave_those_of_rows(self):
        def table(x):
            return TrainingTable(np.empty((0, 2)), np.array([x]), np.empty(0), np.array([0, 1]), 2, None)

        some, none = ClassMoments.of(table([1.5, 2.5])), ClassMoments.of(table([np.nan, np.nan]))
        for both in (some.merged(none), none.merged(some)):
            for name in ("weight", "mean", "squares"):
                np.testing.assert_array_equal(getattr(both, name), getattr(some, name))


def test_the_prior_in_batches_is_that_of_one_fit_to_the_bit():
    X, y = growing_codes(3)
    weight = np.random.default_rng(3).random(90)
    for w in (None, weight):
        once = PriorClassifier().fit(X, y, sample_weight=w)
        parts = learn_in_batches(PriorClassifier(), X, y, 7, w)
        np.testing.assert_array_equal(parts.class_prior_, once.class_prior_)


PAIR_LEARNERS = pytest.mark.parametrize(
    "Learner",
    [
        TANClassifier,
        partial(TANClassifier, smoothing="laplace"),
        partial(TANClassifier, smoothing="backoff"),
        partial(TANClassifier, structure=[-1, 0, 0]),
        AODEClassifier,
        partial(AODEClassifier, smoothing="friedman", weights="mutual_information"),
        partial(AODEClassifier, min_frequency=4),
        partial(AODEClassifier, smoothing="backoff"),
    ],
)

COUNTERS = pytest.mark.parametrize(
    "Learner",
    [
        TANClassifier,
        AODEClassifier,
        partial(AODEClassifier, smoothing="friedman", weights="mutual_information"),
        AnDEClassifier,
        partial(AnDEClassifier, n=0),
    ],
)


class TestPairs:
    @PAIR_LEARNERS
    @pytest.mark.parametrize(("n_batches", "weights"), [(9, "none"), (2, "whole"), (40, "real")])
    def test_any_split_of_growing_codes_is_one_fit_to_the_bit(self, Learner, weights, n_batches):
        X, y = growing_codes(n_batches)
        rng = np.random.default_rng(n_batches)
        weight = {"none": None, "whole": rng.integers(1, 4, 90), "real": rng.random(90) + 0.01}[weights]
        once = Learner().fit(X, y, sample_weight=weight)
        parts = learn_in_batches(Learner(), X, y, n_batches, weight, n_batches)
        counts = once._count(once._rows)
        np.testing.assert_array_equal(parts._counts.by_pair, counts.by_pair)
        np.testing.assert_array_equal(parts._counts.by_class, counts.by_class)
        np.testing.assert_array_equal(parts.arities_, once.arities_)
        np.testing.assert_array_equal(parts.predict_proba(X), once.predict_proba(X))
        assert getattr(parts, "parents_", None) == getattr(once, "parents_", None)

    @COUNTERS
    def test_labels_of_a_later_batch_are_sorted_in(self, Learner):
        codes, y = growing_codes(4)
        text = np.array(["f", "b", "h", "a", "d", "g", "c", "e", None], dtype=object)[codes]
        for X in (text, pd.DataFrame(text, columns=list("uvw"))):
            once = Learner().fit(X, y)
            np.testing.assert_array_equal(
                learn_in_batches(Learner(), X, y, 9).predict_proba(X), once.predict_proba(X)
            )

    @COUNTERS
    def test_go_on_after_fit_whatever_becomes_of_its_arrays(self, Learner):
        X, y = growing_codes(1)
        weight = np.random.default_rng(1).random(90)
        want = Learner().fit(X, y, sample_weight=weight).predict_proba(X)
        first, labels, weights = X[:40].copy(), y[:40].copy(), weight[:40].copy()
        learner = Learner().fit(first, labels, sample_weight=weights)
        first[:], labels[:], weights[:] = 0, 0, 9.0
        learner.partial_fit(X[40:70], y[40:70], sample_weight=weight[40:70])
        learner.partial_fit(X[70:], y[70:], sample_weight=weight[70:])
        np.testing.assert_array_equal(learner.predict_proba(X), want)
        again = learner.fit(X[:40], y[:40]).predict_proba(X[:40])  # begins again
        np.testing.assert_array_equal(again, Learner().fit(X[:40], y[:40]).predict_proba(X[:40]))

    @pytest.mark.parametrize("Learner", [TANClassifier, AODEClassifier])
    def test_that_outgrow_the_memory_leave_the_learner_as_it_was(self, Learner, monkeypatch):
        X, y = growing_codes(2)
        learner = learn_in_batches(Learner(), X[:60], y[:60], 3)
        before, arities = learner.predict_proba(X), learner.arities_
        with monkeypatch.context() as patch:
            patch.setattr("learners.counts.slots.LARGEST_TABLE", learner._counts.by_pair.size)
            with pytest.raises(ValueError, match="Merge rare values"):
                learner.partial_fit([[30, 0, 0]], [0])
            with pytest.raises(ValueError, match="Merge rare values"):
                Learner().partial_fit([[30, 0, 0]], [0], classes=[0, 1, 2])
        np.testing.assert_array_equal(learner.arities_, arities)
        np.testing.assert_array_equal(learner.predict_proba(X), before)
        learner.partial_fit(X[60:], y[60:])
        np.testing.assert_array_equal(learner.predict_proba(X), Learner().fit(X, y).predict_proba(X))

    def test_of_a_refused_first_batch_are_not_counted(self):
        X, y = growing_codes(3)
        learner = TANClassifier(structure="no such tree")
        with pytest.raises(ValueError, match="structure must be"):
            learner.partial_fit(X, y, classes=[0, 1, 2])
        learner.set_params(structure="cmi").partial_fit(X, y, classes=[0, 1, 2])
        np.testing.assert_array_equal(learner.predict_proba(X), TANClassifier().fit(X, y).predict_proba(X))

    @pytest.mark.parametrize("Learner", [TANClassifier, AODEClassifier])
    def test_of_numeric_columns_keep_the_cuts_of_the_first_batch(self, Learner):
        rng = np.random.default_rng(2)
        y = rng.integers(0, 2, 300)
        late = np.where(np.arange(300) < 150, "a", "b").astype(object)
        X = pd.DataFrame({"x": rng.normal(size=300) + 3 * y, "late": late})
        learner = Learner().partial_fit(X[:150], y[:150], classes=[0, 1])
        cuts = learner.cut_points_["x"]
        learner.partial_fit(X[150:], y[150:])
        assert learner.cut_points_["x"] is cuts
        assert learner.arities_.tolist() == [len(cuts) + 1, 2]
        assert learner.score(X, y) > 0.85


AVERAGES = pytest.mark.parametrize(
    "Learner",
    [
        AnDEClassifier,
        partial(AnDEClassifier, smoothing="friedman"),
        partial(AnDEClassifier, smoothing="backoff"),
        partial(AnDEClassifier, min_frequency=4, alpha=0.3),
        partial(AnDEClassifier, n=1),
        partial(AnDEClassifier, n=0),
    ],
)


class TestTriples:
    @AVERAGES
    @pytest.mark.parametrize(("n_batches", "weights"), [(9, "none"), (2, "whole"), (40, "real")])
    def test_any_split_of_growing_codes_is_one_fit_to_the_bit(self, Learner, weights, n_batches):
        X, y = growing_codes(n_batches)
        rng = np.random.default_rng(n_batches)
        weight = {"none": None, "whole": rng.integers(1, 4, 90), "real": rng.random(90) + 0.01}[weights]
        once = Learner().fit(X, y, sample_weight=weight)
        parts = learn_in_batches(Learner(), X, y, n_batches, weight, n_batches)
        if once.n == 2:
            counts = TripleCounts.of(once._rows)
            np.testing.assert_array_equal(parts._counts.by_triple, counts.by_triple)
            np.testing.assert_array_equal(parts._counts.pair_offsets, counts.pair_offsets)
            assert counts.by_triple.sum() > 0
        np.testing.assert_array_equal(parts.arities_, once.arities_)
        np.testing.assert_array_equal(parts.predict_proba(X), once.predict_proba(X))

    def test_that_outgrow_the_memory_leave_the_learner_as_it_was(self, monkeypatch):
        X, y = growing_codes(2)
        learner = learn_in_batches(AnDEClassifier(), X[:60], y[:60], 3)
        before, arities = learner.predict_proba(X), learner.arities_
        with monkeypatch.context() as patch:
            patch.setattr(
                "learners.bayes._shared.triple_counts.LARGEST_TABLE", learner._counts.by_triple.size
            )
            with pytest.raises(ValueError, match=r"n = 1.*leave"):
                learner.partial_fit([[30, 0, 0]], [0])
            with pytest.raises(ValueError, match=r"n = 1.*leave"):
                AnDEClassifier().partial_fit([[30, 0, 0]], [0], classes=[0, 1, 2])
        np.testing.assert_array_equal(learner.arities_, arities)
        np.testing.assert_array_equal(learner.predict_proba(X), before)
        learner.partial_fit(X[60:], y[60:])
        np.testing.assert_array_equal(learner.predict_proba(X), AnDEClassifier().fit(X, y).predict_proba(X))

    def test_belong_to_one_number_of_parents(self):
        X, y = growing_codes(3)
        learner = AnDEClassifier(n=1).fit(X[:60], y[:60]).set_params(n=2)
        learner.partial_fit(X[60:], y[60:])  # fit has kept the rows
        np.testing.assert_array_equal(
            learner.predict_proba(X), AnDEClassifier(n=2).fit(X, y).predict_proba(X)
        )
        before = learner.predict_proba(X)
        with pytest.raises(ValueError, match=r"n.*1.*2.*partial_fit"):
            learner.set_params(n=1).partial_fit(X, y)
        np.testing.assert_array_equal(learner.predict_proba(X), before)

"""Parts learned apart and merged: what one fit would have found."""

import pickle
from functools import partial, reduce

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

from learners import AnDEClassifier, AODEClassifier, NaiveBayesClassifier, PriorClassifier, TANClassifier
from learners.base import TrainingTable
from learners.counts._kernels.merged_counts import MANY_ROWS
from learners.counts.counts import PairCounts

LEARNERS = {
    "nb": NaiveBayesClassifier,
    "nb, friedman": partial(NaiveBayesClassifier, smoothing="friedman"),
    "tan": TANClassifier,
    "tan, listed": partial(TANClassifier, structure=[-1, 0, 0], smoothing="laplace"),
    "aode": AODEClassifier,
    "aode, weighted": partial(AODEClassifier, smoothing="friedman", weights="mutual_information"),
    "aode, frequent": partial(AODEClassifier, min_frequency=4),
    "ande": AnDEClassifier,
    "ande, 1": partial(AnDEClassifier, n=1),
    "ande, 0": partial(AnDEClassifier, n=0),
    "prior": PriorClassifier,
}
EACH = pytest.mark.parametrize("Learner", LEARNERS.values(), ids=LEARNERS)
FEW = pytest.mark.parametrize(
    "Learner", [NaiveBayesClassifier, TANClassifier, AODEClassifier, AnDEClassifier]
)
CLASSES = [0, 1, 2]


def growing_codes(seed, n_samples=90):
    """Codes whose largest values come late, with holes."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2 + np.arange(n_samples)[:, None] // 15, (n_samples, 3))
    X[rng.random(X.shape) < 0.1] = -1
    return X, rng.integers(0, 3, n_samples)


def tables(seed, kind):
    codes, y = growing_codes(seed)
    text = np.array(["f", "b", "h", "a", "d", "g", "c", "e", None], dtype=object)[codes]
    if kind == "codes":
        return codes, y
    if kind == "text":
        return pd.DataFrame(text, columns=list("uvw")), y
    letters = list("hgfedcba") if kind == "declared" else None
    frame = pd.DataFrame(text, columns=list("uvw"))
    return frame.apply(lambda column: pd.Categorical(column, categories=letters)), y


def rows_of(X, rows):
    return X.iloc[rows] if isinstance(X, pd.DataFrame) else X[rows]


def random_parts(learner, X, y, n_parts, seed, weight=None):
    """Return learners of a random split, in random order, some by fit and some by several batches."""
    rng = np.random.default_rng(seed)
    of = np.append(np.arange(n_parts), rng.integers(0, n_parts, len(y) - n_parts))  # none is empty
    rng.shuffle(of)
    parts = []
    for part in rng.permutation(n_parts):
        rows = rng.permutation(np.flatnonzero(of == part))
        learned = learner()
        for some in np.array_split(rows, min(len(rows), rng.integers(1, 4))):
            learned.partial_fit(rows_of(X, some), y[some], CLASSES, None if weight is None else weight[some])
        parts.append(learned)
    return parts


def merged_at_random(parts, seed):
    """Merge neighbors until one learner is left, in random association; several at once, too."""
    rng = np.random.default_rng(seed)
    while len(parts) > 1:
        n = int(rng.integers(2, min(len(parts), 4) + 1))
        at = rng.integers(0, len(parts) - n + 1)
        parts[at : at + n] = [parts[at].merged(*parts[at + 1 : at + n])]
    return parts[0]


def assert_same(merged, once, X):
    np.testing.assert_array_equal(merged.predict_proba(X), once.predict_proba(X))
    np.testing.assert_array_equal(merged.class_prior_, once.class_prior_)
    np.testing.assert_array_equal(merged.arities_, once.arities_)
    assert [a.states for a in merged._schema.attributes] == [a.states for a in once._schema.attributes]
    assert getattr(merged, "parents_", None) == getattr(once, "parents_", None)


class TestNominalTables:
    @pytest.mark.slow
    @EACH
    @settings(max_examples=12)
    @given(
        st.integers(0, 10**6),
        st.integers(1, 12),
        st.sampled_from(["codes", "text", "declared"]),
        st.booleans(),
    )
    def test_any_split_order_and_association_is_one_fit_to_the_bit(
        self, Learner, seed, n_parts, kind, weighted
    ):
        X, y = tables(seed % 50, kind)
        weight = np.random.default_rng(seed).integers(1, 4, len(y)).astype(float) if weighted else None
        merged = merged_at_random(random_parts(Learner, X, y, n_parts, seed, weight), seed)
        assert_same(merged, Learner().fit(X, y, sample_weight=weight), X)

    @FEW
    def test_with_real_weights_up_to_rounding(self, Learner):
        X, y = growing_codes(3)
        weight = np.random.default_rng(3).random(90) + 0.01
        merged = merged_at_random(random_parts(Learner, X, y, 7, 3, weight), 3)
        once = Learner().fit(X, y, sample_weight=weight)
        np.testing.assert_allclose(merged.predict_proba(X), once.predict_proba(X), atol=1e-12)

    @FEW
    def test_labels_that_only_one_dtype_declares_are_sorted_whatever_the_order(self, Learner):
        X, y = tables(5, "text")
        halves = [
            Learner().partial_fit(X[rows].apply(pd.Categorical), y[rows], CLASSES)
            for rows in (slice(0, 45), slice(45, 90))
        ]
        for merged in (halves[0].merged(halves[1]), halves[1].merged(halves[0])):
            assert_same(merged, Learner().fit(X, y), X)

    @EACH
    def test_parts_may_be_fits_and_stay_as_they_were(self, Learner):
        X, y = growing_codes(1)
        parts = [Learner().fit(X[rows], y[rows]) for rows in (slice(0, 40), slice(40, 90))]
        before = [pickle.dumps(part) for part in parts]
        merged = parts[0].merged(parts[1])
        assert [pickle.dumps(part) for part in parts] == before
        assert_same(merged, Learner().fit(X, y), X)
        further = np.concatenate([X, X[:20]]), np.concatenate([y, y[:20]])
        assert_same(merged.partial_fit(X[:20], y[:20]), Learner().fit(*further), X)

    @FEW
    def test_many_rows_too(self, Learner):
        rng = np.random.default_rng(8)
        X, y = rng.integers(0, 4, (4 * MANY_ROWS, 3)), rng.integers(0, 3, 4 * MANY_ROWS)
        parts = random_parts(Learner, X, y, 3, 8)
        assert_same(reduce(lambda one, other: one.merged(other), parts), Learner().fit(X, y), X)


class TestStarts:
    @FEW
    def test_an_emptied_learner_has_all_but_rows(self, Learner):
        X, y = tables(2, "declared")
        learner = Learner().fit(X, y)
        start = learner.emptied()
        np.testing.assert_array_equal(start.classes_, learner.classes_)
        np.testing.assert_array_equal(start.arities_, learner.arities_)
        for ask in (start.predict_proba, start.predict):
            with pytest.raises(NotFittedError, match=r"tables.*partial_fit"):
                ask(X)
        with pytest.raises(NotFittedError, match="has counted no rows"):
            start.learn()
        assert_same(start.partial_fit(X, y), learner, X)

    @FEW
    def test_an_emptied_learner_adds_nothing(self, Learner):
        X, y = growing_codes(2)
        learner = Learner().fit(X, y)
        assert_same(learner.emptied().merged(learner), learner, X)
        assert_same(learner.merged(learner.emptied(), learner.emptied()), learner, X)
        with pytest.raises(NotFittedError):
            learner.emptied().merged(learner.emptied()).predict_proba(X)

    @FEW
    def test_counting_first_and_learning_once_is_one_fit(self, Learner):
        X, y = growing_codes(6)
        learner = Learner()
        for rows in np.array_split(np.arange(90), 5):
            learner.count(X[rows], y[rows], classes=CLASSES)
        with pytest.raises(NotFittedError, match=r"learn\(\)"):
            learner.predict_proba(X)
        again = pickle.loads(pickle.dumps(learner))
        assert_same(learner.learn(), Learner().fit(X, y), X)
        assert_same(again.merged().learn(), learner, X)

    @FEW
    def test_counting_goes_on_after_fit(self, Learner):
        X, y = growing_codes(6)
        learner = Learner().fit(X[:50], y[:50])
        assert_same(learner.count(X[50:], y[50:]).learn(), Learner().fit(X, y), X)

    @FEW
    def test_a_refused_batch_leaves_the_counts_as_they_were(self, Learner):
        X, y = growing_codes(6)
        learner = Learner().count(X, y, CLASSES)
        with pytest.raises(ValueError, match="y holds the class"):
            learner.count(X, y + 5)
        assert_same(learner.learn(), Learner().fit(X, y), X)


class TestNumericTables:
    def mixed(self, n=300):
        rng = np.random.default_rng(2)
        y = rng.integers(0, 2, n)
        late = np.where(np.arange(n) < n // 2, "a", "b").astype(object)
        x = (rng.normal(size=n) + 3 * y).round(1)
        x[rng.random(n) < 0.1] = np.nan
        return pd.DataFrame({"x": x, "late": late}), y

    @pytest.mark.parametrize(
        "learner",
        [
            NaiveBayesClassifier(numeric="weka"),
            NaiveBayesClassifier(numeric="kernel"),
            NaiveBayesClassifier(numeric="mdlp"),
            TANClassifier(),
            AODEClassifier(),
            AnDEClassifier(n=1),
        ],
        ids=str,
    )
    def test_parts_share_what_the_first_rows_fixed(self, learner):
        X, y = self.mixed()
        first = learner.partial_fit(X[:100], y[:100], [0, 1])
        start = first.emptied()
        second = start.emptied().partial_fit(X[200:], y[200:])
        merged = second.merged(first, start.partial_fit(X[100:200], y[100:200]))
        for name, cuts in getattr(first, "cut_points_", {}).items():
            assert merged.cut_points_[name] is cuts or np.array_equal(merged.cut_points_[name], cuts)
        once = first.partial_fit(X[100:200], y[100:200]).partial_fit(X[200:], y[200:])
        np.testing.assert_allclose(merged.predict_proba(X), once.predict_proba(X), atol=1e-12)
        np.testing.assert_array_equal(merged.arities_, once.arities_)

    def test_plain_normals_need_no_common_start(self):
        X, y = self.mixed()
        parts = [
            NaiveBayesClassifier(numeric="gaussian").partial_fit(X[rows], y[rows], [0, 1])
            for rows in (slice(0, 120), slice(120, 300))
        ]
        once = NaiveBayesClassifier(numeric="gaussian").fit(X, y)
        merged = parts[1].merged(parts[0])
        np.testing.assert_allclose(merged.means_, once.means_, rtol=1e-12)
        np.testing.assert_allclose(merged.predict_proba(X), once.predict_proba(X), atol=1e-12)

    def test_others_are_refused(self):
        for make, sentence in [
            (
                TANClassifier,
                r"'x'.*one learner",
            ),
            (
                NaiveBayesClassifier,
                r"0.*in one learner",
            ),
            (partial(NaiveBayesClassifier, numeric="kernel"), "rounded to multiples of"),
        ]:
            X, y = self.mixed()
            one, other = make().fit(X[:100], y[:100]), make().fit(X[150:].assign(x=X["x"] * 1.37), y[150:])
            with pytest.raises(ValueError, match=sentence):
                one.merged(other)


class TestRefusals:
    def fitted(self, **parameters):
        return AODEClassifier(**parameters).fit([[0, 1], [1, 0]], ["a", "b"])

    def test_another_kind_of_learner(self):
        with pytest.raises(
            TypeError,
            match="AODEClassifier",
        ):
            self.fitted().merged(PriorClassifier().fit([[0]], [0]))

    def test_a_learner_without_rows(self):
        with pytest.raises(NotFittedError, match="partial_fit"):
            self.fitted().merged(AODEClassifier())
        with pytest.raises(NotFittedError, match="has read no rows"):
            AODEClassifier().emptied()

    def test_other_parameters(self):
        with pytest.raises(ValueError, match=r"min_frequency.*1.*30"):
            self.fitted().merged(self.fitted(min_frequency=30))
        with pytest.raises(ValueError, match="have different arities"):
            self.fitted(arities=[2, 2]).merged(self.fitted(arities=[2, 3]))
        same = self.fitted(arities=[2, 2]).merged(self.fitted(arities=np.array([2, 2])))
        assert same.arities_.tolist() == [2, 2]

    def test_other_classes(self):
        other = AODEClassifier().fit([[0, 1], [1, 0]], ["a", "c"])
        with pytest.raises(ValueError, match=r"\['a'.*'b'\].*\['a'.*'c'\].*classes"):
            self.fitted().merged(other)

    @pytest.mark.parametrize(
        ("X", "sentence"),
        [
            ([[0], [1]], r"2 columns.*another 1"),
            ([[0.5, 1.0], [1.0, 2.0]], r"0 \(nominal.*0 \(numeric\)"),
            ([["u", "v"], ["v", "u"]], r"\(nominal.*columns"),
            (pd.DataFrame({"u": ["x", "y"], "v": ["x", "y"]}), "has 'u'"),
        ],
    )
    def test_other_columns(self, X, sentence):
        with pytest.raises(ValueError, match=sentence):
            self.fitted().merged(AODEClassifier().fit(X, ["a", "b"]))

    def test_counts_that_outgrow_the_memory(self, monkeypatch):
        learner, far = self.fitted(), AODEClassifier().fit([[0, 1], [60, 0]], ["a", "b"])
        monkeypatch.setattr("learners.counts.slots.LARGEST_TABLE", 5000)
        with pytest.raises(ValueError, match="Merge rare values"):
            learner.merged(far)

    def test_a_learner_that_scores_each_row(self):
        learner = TANClassifier(structure="superparent").fit([[0, 1], [1, 0]], [0, 1])
        for verb in ("merged", "emptied", "count", "learn", "partial_fit"):
            assert not hasattr(learner, verb)
            with pytest.raises(AttributeError, match=f"scores each training row, so there is no {verb}"):
                getattr(learner, verb)

    def test_triples_with_pairs(self):
        X, y = growing_codes(0)
        pairs = AnDEClassifier(n=1).partial_fit(X, y, CLASSES)
        with pytest.raises(ValueError, match=r"n.*2.*1.*earlier calls"):
            AnDEClassifier().fit(X, y).merged(pairs.set_params(n=2))


class TestPairCounts:
    def table(self, n, weight=None, seed=0):
        rng = np.random.default_rng(seed)
        codes = rng.integers(0, 4, (5, n)).astype(np.uint8)  # 3 is missing
        return TrainingTable(
            codes,
            np.empty((0, n)),
            np.full(5, 3),
            rng.integers(0, 2, n),
            2,
            None if weight is None else weight,
        )

    @pytest.mark.parametrize(
        ("first", "second", "n"),
        [("none", "whole", 3), ("whole", "none", 3000), ("real", "none", 3), ("whole", "real", 3000)],
    )
    def test_are_those_of_one_table_to_the_bit(self, first, second, n):
        rng = np.random.default_rng(1)
        kinds = {"none": np.ones(n), "whole": rng.integers(0, 3, n).astype(float), "real": rng.random(n)}
        tables = [
            self.table(n, None if kind == "none" else kinds[kind], seed)
            for seed, kind in enumerate((first, second))
        ]
        added = PairCounts.of(tables[0]).plus(tables[1])
        whole = TrainingTable(
            np.concatenate([t.codes for t in tables], axis=1),
            np.empty((0, 2 * n)),
            tables[0].arities,
            np.concatenate([t.y for t in tables]),
            2,
            np.concatenate([kinds[first], kinds[second]]),
        )
        once = PairCounts.of(whole)
        np.testing.assert_array_equal(added.by_pair, once.by_pair)
        assert added.whole == once.whole == ("real" not in (first, second))
        merged = PairCounts.of(tables[0]).merged(PairCounts.of(tables[1]))
        np.testing.assert_allclose(merged.by_pair, once.by_pair, rtol=1e-12)
        assert merged.whole == once.whole

    def test_of_other_values_are_not_added(self):
        counts = PairCounts.of(self.table(3))
        wider = counts.widened([np.arange(3)] * 5, np.full(5, 4))
        with pytest.raises(ValueError, match=r"[Ww]iden.*values"):
            counts.merged(wider)

"""Alterations by hand, and what is refused."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

from generators import (
    IrrelevantAttributes,
    LabelNoise,
    MissingValues,
    Network,
    NumericAttributes,
    RedundantAttributes,
    add_irrelevant,
    add_label_noise,
    add_missing,
    add_redundant,
    altered,
    from_json,
    make_numeric,
    random_naive_bayes,
    random_tan,
    write_network,
)

SICK = Network(
    ("test", "sick"),
    ((0, 1), ("no", "yes")),
    ((1,), ()),
    ([[0.9, 0.1], [0.2, 0.8]], [0.75, 0.25]),
    class_index=1,
)


class TestLabelNoise:
    def test_by_hand(self):
        noisy = LabelNoise(SICK, [[1.0, 0.0], [0.4, 0.6]])  # the sick pass for healthy at 2 of 5
        positive = np.array([0.75 * 0.1, 0.25 * 0.8])
        clean = positive / positive.sum()
        np.testing.assert_allclose(noisy.posterior([[1]])[0], [clean[0] + 0.4 * clean[1], 0.6 * clean[1]])
        np.testing.assert_allclose(noisy.truth.posterior([[1]])[0], clean)
        np.testing.assert_allclose(noisy.class_marginal(), [0.85, 0.15])
        assert noisy.rate == pytest.approx(0.25 * 0.4)

    def test_the_same_seed_draws_the_same_rows_of_the_clean_truth(self):
        noisy = add_label_noise(SICK, 0.3)
        (X, y), (clean_X, clean_y) = noisy.sample(20_000, 5), noisy.truth.sample(20_000, 5)
        pd.testing.assert_frame_equal(X, clean_X)
        assert (y != clean_y).mean() == pytest.approx(0.3, abs=0.015)

    @pytest.mark.parametrize("rate", [-0.1, True, float("nan")])
    def test_a_rate_that_is_none_is_refused(self, rate):
        with pytest.raises(ValueError, match=r"the rate of wrong labels is"):
            add_label_noise(SICK, rate)

    def test_a_confusion_that_is_none_and_a_single_class_are_refused(self):
        with pytest.raises(ValueError, match=r"true sick='yes' of the CPT of 'written sick' sums to 0\.9"):
            LabelNoise(SICK, [[1.0, 0.0], [0.4, 0.5]])
        with pytest.raises(ValueError, match="the truth has one class"):
            add_label_noise(random_naive_bayes(n_classes=1, random_state=0), 0.1)


class TestMissingValues:
    def test_lost_at_random_says_nothing(self):
        truth = MissingValues(SICK, [None], [[0.5]])
        np.testing.assert_allclose(truth.posterior([[-1], [1]]), SICK.posterior([[-1], [1]]))
        np.testing.assert_allclose(np.exp(truth.log_joint([[-1]], [1])), 0.5 * 0.25)

    def test_missing_by_its_value_is_evidence_of_the_value(self):
        truth = MissingValues(SICK, [0], [[0.0, 0.5]])  # half of the positive tests get lost
        lost = np.array([0.75 * 0.1, 0.25 * 0.8]) * 0.5
        np.testing.assert_allclose(truth.posterior([[-1]])[0], lost / lost.sum())
        np.testing.assert_allclose(truth.posterior([[0]]), SICK.posterior([[0]]))
        assert truth.rate == pytest.approx(lost.sum())
        # a test that is not asked for: what was it, among the sick?
        np.testing.assert_allclose(truth.posterior([[1]], of="test"), [[0.2, 0.8]])

    def test_missing_by_the_class_is_evidence_of_the_class(self):
        truth = MissingValues(SICK, [1], [[0.1, 0.9]])
        lost = np.array([0.75 * 0.1, 0.25 * 0.9])
        np.testing.assert_allclose(truth.posterior([[-1]])[0], lost / lost.sum())

    def test_lost_by_another_attribute_says_nothing_where_that_is_seen(self):
        base = random_tan(n_attributes=3, arity=2, n_classes=2, random_state=1)
        truth = MissingValues(base, [None, 0, None], [[0.0], [0.2, 0.9], [0.0]])
        np.testing.assert_allclose(truth.posterior([[1, -1, 0]]), base.posterior([[1, -1, 0]]))
        # the driver is always seen; if it is omitted nevertheless, the missingness is evidence of it
        joint = [np.exp(base.log_joint([[d, -1, 0]] * 2, [0, 1])) * rate for d, rate in ((0, 0.2), (1, 0.9))]
        expected = np.sum(joint, axis=0)
        np.testing.assert_allclose(truth.posterior([[-1, -1, 0]])[0], expected / expected.sum())

    @pytest.mark.parametrize("mechanism", ["completely_at_random", "at_random", "not_at_random"])
    @pytest.mark.parametrize("rate", [0.05, 0.95])
    def test_the_rate_is_that_asked_for(self, mechanism, rate):
        base = random_tan(n_attributes=5, random_state=2)
        truth = add_missing(base, rate, mechanism=mechanism, random_state=3)
        can_miss = np.array(truth.can_miss)
        assert can_miss.sum() == (3 if mechanism == "at_random" else 5)
        np.testing.assert_allclose(truth.attribute_rates[can_miss], rate)
        X, _ = truth.sample(20_000, 4)
        np.testing.assert_allclose(X.isna().mean(), truth.attribute_rates, atol=0.015)
        whole, _ = base.sample(20_000, 4)
        assert ((whole == X) | X.isna()).all(axis=None)

    def test_what_cannot_be_is_refused(self):
        for wrong, message in (
            ({"rate": 1.0}, "the rate of missing values is 1.0"),
            ({"rate": 0.1, "mechanism": "sometimes"}, "is 'sometimes': expected one of 'completely_at"),
            ({"rate": 0.1, "mechanism": "at_random"}, "expected a truth with two attributes or more"),
        ):
            with pytest.raises(ValueError, match=message):
                add_missing(SICK, **wrong)
        for drivers, rates, message in (
            ([2], [[0.1]], "the driver of .* is 2: expected .* from 0 to 1, or None"),
            ([0], [[0.1]], "the rates .* expected 2 from 0 to 1"),
            ([None], [[1.1]], "the rates .* expected 1 from 0 to 1"),
            ([None], [], "1 drivers and 0 lists of rates for 1 attributes"),
        ):
            with pytest.raises(ValueError, match=message):
                MissingValues(SICK, drivers, rates)


class TestRedundantAndIrrelevant:
    def test_a_copy_by_hand(self):
        truth = RedundantAttributes(SICK, (0,), (0.9,), ("again",))
        seen = np.array([0.75 * (0.9 * 0.1 + 0.1 * 0.9), 0.25 * (0.2 * 0.1 + 0.8 * 0.9)])
        np.testing.assert_allclose(truth.posterior(pd.DataFrame({"again": [1]}))[0], seen / seen.sum())
        # given its original a copy adds no information
        np.testing.assert_allclose(truth.posterior([[1, 0]]), SICK.posterior([[1]]))

    def test_exact_copies_never_differ(self):
        X, _ = add_redundant(
            random_tan(n_attributes=3, random_state=1), 3, fidelity=1, random_state=1
        ).sample(500, 2)
        for name in ("x0", "x1", "x2"):
            assert (X[name] == X[f"{name}_copy"]).all()

    def test_irrelevant_attributes_change_no_posterior(self):
        base = random_tan(n_attributes=3, random_state=1)
        truth = add_irrelevant(base, 3, random_state=2)
        X, _ = truth.sample(50, 3)
        assert list(X) == ["x0", "x1", "x2", "z0", "z1", "z2"]
        assert np.array_equal(truth.posterior(X), base.posterior(X[["x0", "x1", "x2"]]))
        assert truth.reduced is base

    def test_names_that_are_taken_get_a_number(self):
        twice = add_irrelevant(add_irrelevant(SICK, 1, random_state=1), 2, random_state=1)
        assert twice.names == ("test", "sick", "z0", "z02", "z1")

    def test_what_cannot_be_is_refused(self):
        for wrong, message in (
            (((1,), (0.9,), ("again",)), "copied has 1, which is not an attribute"),
            (((0,), (1.2,), ("again",)), "fidelity is 1.2"),
            (((0,), (0.9,), ("test",)), "the name 'test' is given to several variables"),
            (((0,), (0.9,), ()), "1 copied attributes, 1 fidelities and 0 names"),
        ):
            with pytest.raises(ValueError, match=message):
                RedundantAttributes(SICK, *wrong)
        with pytest.raises(ValueError, match="n is 0"):
            add_redundant(SICK, 0)
        with pytest.raises(ValueError, match=r"n is 2\.5"):
            add_irrelevant(SICK, 2.5)
        with pytest.raises(ValueError, match="expected a Network without a class"):
            IrrelevantAttributes(SICK, SICK)


class TestNumericCuts:
    def test_numbers_say_which_state_it_was_and_no_more(self):
        nominal = random_tan(n_attributes=3, n_classes=3, random_state=1)
        truth = make_numeric(nominal, random_state=2)
        X, y = truth.sample(500, 3)
        states, same = nominal.sample(500, 3)
        assert set(X.dtypes.astype(str)) == {"float64"}
        pd.testing.assert_series_equal(y, same)
        pd.testing.assert_frame_equal(truth.nominal(X), states)
        assert np.array_equal(truth.posterior(X), nominal.posterior(states))

    def test_the_density_by_hand(self):
        truth = NumericAttributes(SICK, [[0.0, 0.25, 1.0]])
        X = pd.DataFrame({"test": [0.1, 0.25, np.nan, 1.0]})
        y = ["yes", "yes", "yes", "yes"]
        found = np.exp(truth.log_joint(X, y))
        # a test of 1.0 lies beyond all intervals and counts as missing
        np.testing.assert_allclose(found, [0.25 * 0.2 / 0.25, 0.25 * 0.8 / 0.75, 0.25, 0.25])

    def test_numbers_are_uniform_in_their_interval(self):
        truth = NumericAttributes(SICK, [[0.0, 0.25, 1.0]])
        X, _ = truth.sample(40_000, 1)
        low = X["test"][X["test"] < 0.25]
        assert len(low) / 40_000 == pytest.approx(0.75 * 0.9 + 0.25 * 0.2, abs=0.01)
        np.testing.assert_allclose(np.histogram(low, 5, (0, 0.25))[0] / len(low), 0.2, atol=0.015)

    def test_an_attribute_that_stays_nominal_stays_so(self):
        X, _ = make_numeric(random_tan(n_attributes=4, random_state=1), 1, random_state=2).sample(5, 1)
        assert sorted(X.dtypes.astype(str)) == ["category"] * 3 + ["float64"]

    def test_what_cannot_be_is_refused(self):
        for edges, message in (
            ([[0, 1]], "the edges of 'test' are .* expected 3 ascending"),
            ([[0, 1, 1]], "ascending"),
            ([], "edges has 0 entries, and the truth has 1 attributes"),
        ):
            with pytest.raises(ValueError, match=message):
                NumericAttributes(SICK, edges)
        truth = NumericAttributes(SICK, [[0, 1, 2]])
        with pytest.raises(ValueError, match="expected a DataFrame"):
            truth.posterior(np.zeros((2, 1)))
        with pytest.raises(ValueError, match="'test' does not contain numbers"):
            truth.posterior(pd.DataFrame({"test": ["high"]}))
        with pytest.raises(ValueError, match="cannot be enumerated"):
            truth.enumerate()
        with pytest.raises(ValueError, match="as numbers"):
            make_numeric(SICK, 2)


def test_nothing_asked_for_alters_nothing_and_draws_nothing():
    rng = np.random.Generator(np.random.PCG64(1))
    assert altered(SICK, random_state=rng) is SICK
    assert rng.random() == np.random.Generator(np.random.PCG64(1)).random()


def test_the_order_of_alterations_is_kept():
    lost, shown = add_missing(SICK, 0.1), make_numeric(SICK)
    for alter in (
        lambda t: add_irrelevant(t, 1),
        lambda t: add_redundant(t, 1),
        lambda t: add_label_noise(t, 0.1),
    ):
        with pytest.raises(ValueError, match="add_missing last"):
            alter(lost)
        with pytest.raises(ValueError, match=r"make_numeric last"):
            alter(shown)
    with pytest.raises(ValueError, match="without missing values"):
        add_missing(lost, 0.1)
    with pytest.raises(ValueError, match="nominal truths with a class"):
        add_label_noise(SICK.with_class(None), 0.1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('"of": "x', '"of": "u'), "refers to the unknown variable 'u"),
        (('"driver": "x', '"driver": "u'), "refers to the unknown variable 'u"),
        (('"confusion"', '"confusions"'), "has no list 'confusion'"),
        (('"truth": {"format": "generators"', '"truth": {"format": "other"'), "does not have"),
        (('"kind": "network"', '"kind": "numbers"'), "unknown kind 'numbers'"),
    ],
)
def test_json_that_is_no_truth_is_refused(change, message):
    options = {
        "irrelevant": 1,
        "redundant": 1,
        "label_noise": 0.1,
        "missing": 0.1,
        "mechanism": "not_at_random",
    }
    text = altered(random_naive_bayes(n_attributes=2, random_state=0), **options, random_state=1).to_json()
    assert change[0] in text
    with pytest.raises(ValueError, match=message):
        from_json(text.replace(*change))


def test_json_that_is_nested_without_end_is_refused():
    head = '{"format": "generators", "version": 1, "kind": "label_noise", "confusion": [[1, 0], [0, 1]], '
    head += '"truth": '
    deep = 3000 * head + SICK.to_json() + 3000 * "}"
    with pytest.raises(ValueError, match="nested too deeply"):
        from_json(deep)


def test_what_only_the_truth_before_alterations_has_is_named():
    truth = altered(random_tan(n_attributes=3, random_state=1), label_noise=0.1, missing=0.1, random_state=0)
    with pytest.raises(
        AttributeError, match=r"MissingValues has no 'query', but .* has: use \.truth\.truth\.query"
    ):
        truth.query("x0")
    with pytest.raises(AttributeError, match="'MissingValues' object has no attribute 'nothing'"):
        truth.nothing  # noqa: B018
    assert not hasattr(truth, "plot")
    with pytest.raises(ValueError, match="truth` of an altered truth"):
        write_network(truth, "x.bif")
    copy.deepcopy(pickle.loads(pickle.dumps(truth))).sample(3, random_state=0)

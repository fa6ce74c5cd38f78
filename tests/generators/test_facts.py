"""Facts of truths: by hand, by the metric that they bound, and by sample."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators import (
    Network,
    add_irrelevant,
    add_missing,
    add_redundant,
    describe,
    make_numeric,
    random_aode,
    random_kdb,
    random_naive_bayes,
    random_tan,
)
from generators.facts import bayes_error, ceiling, class_entropy, information

XOR = Network(
    ("a", "b", "y"),
    ((0, 1), (0, 1), (0, 1)),
    ((), (), (0, 1)),
    ([0.5, 0.5], [0.5, 0.5], [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]),
    class_index=2,
)


def test_exclusive_or_by_hand():
    facts = describe(XOR)
    assert facts.class_entropy == 1
    assert (facts.bayes_error.value, facts.information.value, facts.ceiling.value) == (0, 1, 1)
    assert {name: found.value for name, found in facts.attribute_information.items()} == {"a": 0, "b": 0}
    # given the class each attribute determines the other
    assert (facts.strongest_pair, facts.strongest_dependence, facts.dependence) == (("a", "b"), 1, 1)
    assert "class entropy: 1.0000 bits" in str(facts)
    assert facts.structure.startswith("network: class y is a parent of 0 of 2 attributes and a child of 2; ")


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_the_ceiling_is_the_expected_reward_of_the_truth(n_classes):
    from workbench.metrics import ir_b

    truth = random_aode(n_attributes=3, n_classes=n_classes, random_state=1)
    cells = truth.enumerate()
    reward = ir_b.expected(cells.joint, cells.posterior, prior=truth.class_marginal())
    facts = describe(truth)
    assert facts.ceiling.value == pytest.approx(reward, abs=1e-12)
    gain = np.sum(cells.joint * np.log2(cells.posterior / truth.class_marginal()))
    assert facts.information.value == pytest.approx(gain, abs=1e-12)
    assert (facts.ceiling.value < facts.information.value - 1e-6) == (n_classes > 2)
    assert facts.ceiling.exact


@pytest.mark.slow
@given(seed=st.integers(0, 10_000))
def test_bounds_hold(seed):
    truth = random_kdb(n_attributes=(1, 4), arity=(1, 3), n_classes=(1, 4), random_state=seed)
    facts = describe(truth)
    most = math.log2(len(truth.classes))
    assert 0 <= facts.class_entropy <= most + 1e-12
    assert 0 <= facts.bayes_error.value <= 1 - truth.class_marginal().max() + 1e-12
    assert 0 <= facts.ceiling.value <= facts.information.value + 1e-12 <= facts.class_entropy + 2e-12
    for found in facts.attribute_information.values():
        assert 0 <= found.value <= facts.information.value + 1e-9
    assert 0 <= facts.dependence <= facts.strongest_dependence + 1e-12


def test_a_large_truth_is_sampled_and_close_to_the_exact_number():
    truth = random_naive_bayes(n_attributes=8, arity=4, n_classes=3, random_state=1)
    larger = add_redundant(truth, 6, fidelity=1, random_state=1)  # exact copies add no information
    assert truth.enumerable
    assert not larger.enumerable
    for measure in (bayes_error, information, ceiling):
        exact, sampled = measure(truth), measure(larger, n_rows=4000)
        assert exact.exact
        assert not sampled.exact
        assert abs(sampled.value - exact.value) < 4 * sampled.standard_error
        assert sampled == measure(larger, n_rows=4000)


def test_attributes_that_say_nothing_do_not_prevent_exact_numbers():
    truth = random_tan(n_attributes=4, random_state=1)
    larger = add_irrelevant(truth, 30, random_state=1)
    assert not larger.enumerable
    assert bayes_error(larger) == bayes_error(truth)
    assert class_entropy(larger) == class_entropy(truth)


def test_missing_values_take_information_away():
    truth = random_tan(n_attributes=3, n_classes=2, random_state=2)
    found = [information(add_missing(truth, rate, random_state=1)).value for rate in (0.0, 0.3, 0.9)]
    assert found[0] == pytest.approx(information(truth).value)
    assert found[0] > found[1] > found[2]
    one = describe(truth).attribute_information["x0"].value
    lost = describe(add_missing(truth, 0.3, random_state=1)).attribute_information["x0"].value
    assert lost == pytest.approx(0.7 * one)


def test_numbers_are_as_informative_as_their_states():
    truth = random_tan(n_attributes=3, random_state=2)
    shown, plain = describe(make_numeric(truth, random_state=1)), describe(truth)
    assert shown.bayes_error == plain.bayes_error
    assert shown.attribute_information == plain.attribute_information
    assert shown.structure.endswith("; x0, x1, x2 shown as numbers")


def test_what_has_no_class_is_refused():
    with pytest.raises(ValueError, match="expected a truth with a class"):
        describe(XOR.with_class(None))
    with pytest.raises(ValueError, match="n_rows is 1"):
        bayes_error(add_redundant(random_naive_bayes(n_attributes=9, arity=4, random_state=1), 9), n_rows=1)


def test_no_pair_is_the_strongest_where_nothing_depends():
    facts = describe(random_naive_bayes(n_attributes=3, random_state=0))
    assert "dependence given the class, bits: mean 0.0000\n" in str(facts)
    assert facts.structure == "network: class y is a parent of all 3 attributes; no arcs between them"


def test_the_posterior_of_a_sample_is_computed_once(monkeypatch):
    truth = add_missing(random_tan(n_attributes=12, arity=3, random_state=0), 0.1, random_state=0)
    asked = []
    posterior = type(truth).posterior
    monkeypatch.setattr(type(truth), "posterior", lambda self, X: asked.append(len(X)) or posterior(self, X))
    found = describe(truth, n_rows=50)
    assert asked == [50]
    assert found.ceiling == ceiling(truth, n_rows=50)

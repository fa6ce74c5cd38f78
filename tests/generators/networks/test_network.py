"""What a network says about itself, and what it refuses."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from generators import Network, random_tan

STATES = (("no", "yes"), ("dry", "wet"))
CPTS = ([0.8, 0.2], [[0.9, 0.1], [0.25, 0.75]])


def rain(**changes) -> Network:
    parts = {
        "names": ("rain", "grass"),
        "states": STATES,
        "parent_indices": ((), (0,)),
        "cpts": CPTS,
        "class_index": 0,
    }
    return Network(**{**parts, **changes})


def test_bayes_rule_by_hand():
    X = pd.DataFrame({"grass": ["wet", "dry", None, "unheard of"]})
    expected = [[0.08, 0.15], [0.72, 0.05], [0.8, 0.2], [0.8, 0.2]]
    expected = np.array(expected) / np.sum(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(rain().posterior(X), expected, rtol=1e-14)


def test_log_joint_by_hand_with_labels_codes_and_holes():
    X = pd.DataFrame({"grass": ["wet", "wet", None]})
    expected = np.log([0.15, 0.23, 0.2])
    np.testing.assert_allclose(rain().log_joint(X, ["yes", None, "yes"]), expected, rtol=1e-14)
    np.testing.assert_allclose(rain().log_joint([[1], [1], [-1]], [1, -1, 1]), expected, rtol=1e-14)
    np.testing.assert_allclose(rain().log_joint([[1]]), np.log([0.23]), rtol=1e-14)
    y = pd.Series(["yes"], dtype=pd.CategoricalDtype(["yes", "no"]))
    np.testing.assert_allclose(rain().log_joint([[1]], y), np.log([0.15]), rtol=1e-14)


def test_properties_without_the_class():
    truth = rain(class_index=1)
    assert truth.attributes == (0,)
    assert truth.attribute_names == ("rain",)
    assert (truth.class_name, truth.classes) == ("grass", ("dry", "wet"))
    assert (truth.n_variables, truth.n_cells, truth.enumerable) == (2, 2, True)
    assert truth.arities.tolist() == [2, 2]
    assert truth.arities.dtype == np.int64
    assert repr(truth) == "Network(2 variables, 1 arc, class 'grass' of 2)"


def test_order_puts_parents_first():
    truth = Network(("a", "b", "c"), [(0,)] * 3, ((1,), (2,), ()), ([[1]], [[1]], [1]))
    assert truth.order == (2, 1, 0)


def test_a_joint_without_class_samples_and_answers_for_any_variable():
    truth = rain(class_index=None)
    assert list(truth.sample_table(3, 0)) == ["rain", "grass"]
    np.testing.assert_allclose(truth.posterior([[1]], of="rain"), rain().posterior([[1]]))
    np.testing.assert_allclose(truth.class_marginal("grass"), [0.77, 0.23])
    np.testing.assert_allclose(truth.log_joint([[1, 1]]), np.log([0.15]))
    for verb in (
        lambda: truth.sample(3),
        truth.enumerate,
        lambda: truth.posterior([[1]]),
        lambda: truth.classes,
    ):
        with pytest.raises(ValueError, match=r"no class.*with_class"):
            verb()


def test_with_class_moves_the_class_and_nothing_else():
    truth = rain().with_class("grass")
    assert truth.class_name == "grass"
    assert all(np.array_equal(one, other) for one, other in zip(truth.cpts, rain().cpts, strict=True))
    assert truth.with_class(None).class_name is None
    with pytest.raises(ValueError, match="unknown variable 'snow'"):
        rain().with_class("snow")


def test_markov_blanket_has_parents_children_and_their_other_parents():
    truth = Network(
        ("up", "me", "mate", "child", "far"),
        [(0,)] * 5,
        ((), (0,), (), (1, 2), (3,)),
        ([1], [[1]], [1], [[[1]]], [[1]]),
    )
    assert truth.parents == {
        "up": (),
        "me": ("up",),
        "mate": (),
        "child": ("me", "mate"),
        "far": ("child",),
    }
    assert truth.markov_blanket("me") == ("up", "mate", "child")


def test_cpts_are_read_only_copies():
    given = np.array([0.8, 0.2])
    truth = rain(cpts=(given, CPTS[1]))
    given[0] = 0.0
    assert truth.cpts[0].tolist() == [0.8, 0.2]
    assert truth.cpts[0].dtype == np.float64
    for network in (truth, pickle.loads(pickle.dumps(truth))):
        with pytest.raises(ValueError, match="read-only"):
            network.cpts[0][0] = 1.0


def test_numpy_states_become_python_values():
    truth = Network(("a",), (np.array([True, False]),), ((),), ([0.5, 0.5],))
    assert truth.states == ((True, False),)
    assert type(truth.states[0][0]) is bool


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"names": ("a", "a")}, "the name 'a' is given to several variables"),
        ({"states": (("no", "yes"),)}, "2 names and 1 lists of states"),
        ({"states": ((1, float("nan")), ("dry", "wet"))}, "'rain' has the state nan"),
        ({"states": ((), ("dry", "wet"))}, "at least one state"),
        ({"parent_indices": ((), (2,))}, "'grass' has the parent 2"),
        ({"parent_indices": ((), (0, 0))}, "one of them twice"),
        ({"names": None}, "names is None"),
        ({"cpts": None}, "cpts is None"),
        ({"cpts": (CPTS[0],)}, "2 names and 1 CPTs"),
        ({"cpts": (CPTS[0], [[0.9, 0.1], [0.5]])}, "the CPT of 'grass' is not an array of numbers"),
        (
            {"cpts": (CPTS[0], [[1.1, -0.1], [0.5, 0.5]])},
            "the row rain='no' of the CPT of 'grass' has a negative",
        ),
        ({"class_index": "rain"}, "class_index is 'rain'"),
    ],
)
def test_an_unsound_network_is_refused_in_a_sentence(changes, message):
    with pytest.raises(ValueError, match=message):
        rain(**changes)


def test_a_long_cycle_is_named_in_the_direction_of_its_arcs():
    with pytest.raises(ValueError, match="cycle: a -> b -> c -> a"):
        Network(("a", "b", "c", "d"), [(0,)] * 4, ((2,), (0,), (1,), (0,)), ([[1]], [[1]], [[1]], [[1]]))


def test_rows_may_miss_one_by_rounding_only():
    assert rain(cpts=([0.8, 0.2 + 5e-9], CPTS[1])).n_variables == 2
    with pytest.raises(ValueError, match=r"sums to 1\.00000002"):
        rain(cpts=([0.8, 0.2 + 2e-8], CPTS[1]))


@pytest.mark.parametrize(
    "X, message",
    [
        ([[0.0]], "X is an array of float64"),
        ([0, 1], r"X has the shape \(2,\)"),
        ([[2]], r"X has a code of 'grass' outside -1 .. 1: recode it"),
        (pd.DataFrame([["dry", "wet"]], columns=["grass", "grass"]), "two columns named 'grass'"),
    ],
)
def test_evidence_that_cannot_be_read_is_refused(X, message):
    with pytest.raises(ValueError, match=message):
        rain().posterior(X)


def test_kl_divergence_needs_the_same_variables_and_states():
    with pytest.raises(ValueError, match="only one of the two distributions has grass, snow"):
        rain().kl_divergence(rain(names=("rain", "snow")))
    with pytest.raises(ValueError, match="the states of 'grass' are"):
        rain().kl_divergence(rain(states=(STATES[0], ("dry", "moist"))))


def test_kl_divergence_finds_variables_by_name_and_states_by_label():
    turned = Network(
        ("grass", "rain"),
        (("wet", "dry"), ("yes", "no")),
        ((1,), ()),
        ([[0.75, 0.25], [0.1, 0.9]], [0.2, 0.8]),
    )
    assert rain().kl_divergence(turned) == pytest.approx(0.0, abs=1e-15)
    assert turned.kl_divergence(rain()) == pytest.approx(0.0, abs=1e-15)


def test_kl_divergence_is_infinite_where_the_other_rules_out():
    certain = rain(cpts=([0.8, 0.2], [[1.0, 0.0], [0.25, 0.75]]))
    assert rain().kl_divergence(certain) == np.inf
    assert certain.kl_divergence(rain()) == pytest.approx(0.8 * np.log2(1 / 0.9))


def test_networks_are_equal_where_every_part_is():
    truth = random_tan(n_attributes=3, random_state=0)
    same = Network.from_json(truth.to_json())
    assert same == truth
    assert hash(same) == hash(truth)
    assert truth != random_tan(n_attributes=3, random_state=1)
    assert truth != truth.with_class(None)
    assert truth != "truth"
    cpts = [cpt.copy() for cpt in truth.cpts]
    cpts[0][..., :2] += [1e-12, -1e-12]
    assert replace(truth, cpts=tuple(cpts)) != truth
    whole = tuple((0, 1) for _ in "ab")
    a = Network(("a", "b"), whole, ((), ()), ([0.5, 0.5],) * 2)
    assert replace(a, states=((False, True),) * 2) != a

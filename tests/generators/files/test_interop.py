"""Round trips through JSON and networkx; those through pgmpy are with its oracle."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators import Mixture, Network, from_json, random_aode, random_naive_bayes

AWKWARD = Network(
    names=("z", "α β", "class"),
    states=(("(-inf, 2.45]", '"', "1"), (True, "True", 0.1, 2), (False, True)),
    parent_indices=((2, 1), (), (1,)),
    cpts=(
        np.tile([0.1, 0.2, 0.7], (2, 4, 1)),
        [1 / 3, 0.0, 1 - 1 / 3 - 1e-17, 5e-324],
        [[1 / 7, 6 / 7], [1, 0], [0.5, 0.5], [0.3, 0.7]],
    ),
    class_index=2,
)


def assert_same(one, other):
    # by repr, because True == 1 == 1.0
    assert repr((one.names, one.states, one.class_index)) == repr(
        (other.names, other.states, other.class_index)
    )
    assert one.parent_indices == other.parent_indices
    assert all(np.array_equal(a, b) for a, b in zip(one.cpts, other.cpts, strict=True))


@pytest.mark.parametrize("truth", [AWKWARD, AWKWARD.with_class(None)])
def test_json_keeps_every_name_state_type_order_and_bit(truth):
    assert_same(Network.from_json(truth.to_json()), truth)
    assert_same(from_json(truth.to_json()), truth)


@given(seed=st.integers(0, 10_000))
def test_json_keeps_random_networks(random_network, seed):
    truth = random_network(seed, 5)
    assert_same(from_json(truth.to_json()), truth)


def test_json_keeps_mixtures():
    truth = random_aode(random_state=1)
    for read in (from_json(truth.to_json()), Mixture.from_json(truth.to_json())):
        assert np.array_equal(read.weights, truth.weights)
        for one, other in zip(read.components, truth.components, strict=True):
            assert_same(one, other)


def test_json_is_strict_json():
    assert json.loads(AWKWARD.to_json(), parse_constant=pytest.fail)["variables"][0]["parents"] == [
        "class",
        "α β",
    ]


@pytest.mark.parametrize("state", [("a", "b"), float("inf"), 1 + 2j])
def test_states_that_json_cannot_hold_are_refused(state):
    truth = Network(("a",), ((0, state),), ((),), ([0.5, 0.5],))
    with pytest.raises(ValueError, match=r"'a' has the state .*"):
        truth.to_json()


def changed(**changes) -> str:
    return json.dumps({**json.loads(random_naive_bayes(n_attributes=1, random_state=0).to_json()), **changes})


def variable(**changes) -> str:
    return changed(variables=[{"name": "y", "states": [0, 1], "parents": [], "cpt": [0.5, 0.5], **changes}])


@pytest.mark.parametrize(
    "text, message",
    [
        ("{", "the text is not JSON .*"),
        ("[]", 'does not have "format": "generators"'),
        (changed(version=2), "is of version 2: expected version 1"),
        (
            changed(kind="tree"),
            "unknown kind 'tree' of truth in the JSON: expected one of concept, conditional_gaussian, ",
        ),
        (changed(kind="mixture"), "the mixture has no list 'weights'"),
        (variable(states=None), "the variable 'y' has no list 'states'"),
        (variable(parents=[0]), "refers to the unknown variable 0"),
        (variable(cpt=[[0.5], [0.5, 0.5]]), "not an array of numbers"),
        (variable(name="x"), "refers to the unknown variable 'y'"),
    ],
)
def test_other_json_is_refused_in_a_sentence(text, message):
    with pytest.raises(ValueError, match=message) as caught:
        from_json(text)
    assert type(caught.value) is ValueError


def test_the_wrong_kind_is_named():
    with pytest.raises(ValueError, match=r"a mixture, not a network"):
        Network.from_json(random_aode(random_state=1).to_json())
    with pytest.raises(ValueError, match="describes a network, not a mixture"):
        Mixture.from_json(AWKWARD.to_json())


@pytest.mark.parametrize("truth", [AWKWARD, AWKWARD.with_class(None)])
def test_networkx_keeps_everything(truth):
    assert_same(Network.from_networkx(truth.to_networkx()), truth)


def test_networkx_without_parents_takes_the_predecessors_in_order():
    import networkx

    graph = networkx.DiGraph([("b", "c"), ("a", "c")])
    cpts = {"a": [0.5, 0.5], "b": [0.2, 0.3, 0.5], "c": np.full((3, 2, 2), 0.5)}
    for name, cpt in cpts.items():
        graph.nodes[name].update(states=range(np.shape(cpt)[-1]), cpt=cpt)
    truth = Network.from_networkx(graph)
    assert truth.names == ("b", "c", "a")
    assert truth.parent_indices == ((), (0, 2), ())


def test_networkx_graphs_that_lack_something_are_refused():
    graph = AWKWARD.to_networkx()
    graph.graph["class_name"] = "nobody"
    with pytest.raises(ValueError, match="class_name is 'nobody'"):
        Network.from_networkx(graph)
    graph.add_edge("z", "class")
    with pytest.raises(ValueError, match=r"the parents of the node 'class' are .* make them agree"):
        Network.from_networkx(graph)
    del graph.nodes["z"]["cpt"]
    with pytest.raises(ValueError, match="the node 'z' has no attribute 'cpt'"):
        Network.from_networkx(graph)

"""Questions in names and states: against enumeration, and what is refused in a sentence."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators import Mixture, Network, random_aode, random_dag, random_tan
from generators.networks.queries import MostProbable

RAIN = Network(
    names=("rain", "sprinkler", "grass"),
    states=(("no", "yes"), (False, True), ("dry", "damp", "wet")),
    parent_indices=((), (0,), (1, 0)),
    cpts=(
        [0.8, 0.2],
        [[0.6, 0.4], [0.99, 0.01]],
        [[[1.0, 0.0, 0.0], [0.1, 0.9, 0.0]], [[0.1, 0.3, 0.6], [0.0, 0.1, 0.9]]],
    ),
    class_index=0,
)


def enumerated(truth):
    """Return the probability of each combination of states, by tuple."""
    joint = truth.joint_array(range(truth.n_variables))
    places = itertools.product(*map(range, joint.shape))
    return {tuple(s[c] for s, c in zip(truth.states, codes, strict=True)): joint[codes] for codes in places}


def brute_force(truth, variables, evidence):
    """Sum over all combinations; a dictionary of the states of the variables."""
    places = [truth.names.index(name) for name in variables]
    seen = {truth.names.index(name): state for name, state in evidence.items()}
    sums: dict = dict.fromkeys(itertools.product(*(truth.states[place] for place in places)), 0.0)
    for states, probability in enumerated(truth).items():
        if all(states[place] == state for place, state in seen.items()):
            sums[tuple(states[place] for place in places)] += probability
    total = sum(sums.values())
    return {states: value / total for states, value in sums.items()}


@st.composite
def questions(draw):
    """A network or mixture, variables and evidence of positive probability."""
    seed = draw(st.integers(0, 50))
    kinds = {
        "dag": lambda: random_dag(n_nodes=6, arity=(2, 3), max_parents=3, random_state=seed),
        "mixture": lambda: random_aode(n_attributes=3, arity=2, n_classes=3, random_state=seed),
    }
    truth = kinds[draw(st.sampled_from(sorted(kinds)))]()
    names = draw(st.permutations(truth.names))
    n_asked = draw(st.integers(1, 3))
    row = truth.sample_table(1, seed).iloc[0]
    seen = names[n_asked : n_asked + draw(st.integers(0, len(names) - n_asked))]
    return truth, list(names[:n_asked]), {name: row[name] for name in seen}


@given(questions())
def test_a_query_is_what_enumeration_gives(question):
    truth, variables, evidence = question
    answer = truth.query(variables, evidence)
    assert (answer.name, list(answer.index.names)) == ("probability", variables)
    expected = brute_force(truth, variables, evidence)
    states = [state if isinstance(state, tuple) else (state,) for state in answer.index]
    assert states == list(expected)
    np.testing.assert_allclose(answer.to_numpy(), list(expected.values()), atol=1e-12)
    assert answer.sum() == pytest.approx(1)


@given(questions())
def test_the_most_probable_states_are_those_of_enumeration(question):
    truth, _, evidence = question
    if isinstance(truth, Mixture):
        truth = truth.components[0]
    found = truth.most_probable(evidence)
    rest = [name for name in truth.names if name not in evidence]
    assert list(found.states) == rest
    if rest:
        expected = brute_force(truth, rest, evidence)
        assert found.probability == pytest.approx(max(expected.values()))
        assert expected[tuple(found.states.values())] == pytest.approx(found.probability)
    else:
        assert found == MostProbable({}, 1.0)


def test_an_answer_keeps_types_and_the_order_of_states():
    answer = RAIN.query(["grass", "sprinkler"], {"rain": "no"})
    assert answer.loc["wet", True] == pytest.approx(0.4 * 0.6)
    table = answer.unstack()
    assert table.index.tolist() == ["dry", "damp", "wet"]
    assert table.columns.tolist() == [False, True]
    assert RAIN.query("grass").equals(RAIN.query(["grass"]))


def test_evidence_of_numpy_and_of_an_equal_type_is_read():
    truth = random_tan(n_attributes=2, arity=2, n_classes=2, random_state=0)
    answer = truth.query("y", {"x0": 1})
    for state in (np.int64(1), 1.0, True):
        pd.testing.assert_series_equal(truth.query("y", {"x0": state}), answer)


def test_a_row_of_a_table_is_evidence():
    row = RAIN.sample_table(1, random_state=0).iloc[0]
    given = row[["sprinkler", "grass"]]
    assert RAIN.query("rain", given).equals(RAIN.query("rain", given.to_dict()))
    assert RAIN.most_probable(given) == RAIN.most_probable(given.to_dict())
    with pytest.raises(ValueError, match="'rain' is requested and is also in the evidence"):
        RAIN.query("rain", row)
    with pytest.raises(ValueError, match=r"evidence is .*"):
        RAIN.query("rain", given.to_frame())


@pytest.mark.parametrize("variables", [5, None])
def test_what_names_no_variables_is_refused(variables):
    with pytest.raises(
        ValueError, match=f"^variables is {variables}: expected a name or a list of names, such as 'rain'$"
    ):
        RAIN.query(variables)


@pytest.mark.parametrize("call", [lambda seen: RAIN.query("rain", seen), RAIN.most_probable], ids=range(2))
@pytest.mark.parametrize(
    "evidence, message",
    [
        ({"gras": "wet"}, "'gras'.*'grass'"),
        ({3: "wet"}, "unknown variable 3"),
        ({"sprinkler": "True"}, "'sprinkler' has no state 'True'"),
        ({"grass": None}, "'grass' has no state None"),
        ("grass", "evidence is 'grass'"),
    ],
)
def test_evidence_that_cannot_be_is_refused_in_a_sentence(call, evidence, message):
    with pytest.raises(ValueError, match=message) as caught:
        call(evidence)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "variables, evidence, message",
    [
        ("rain", {"rain": "no"}, "'rain' is requested and is also in the evidence"),
        (["rain", "rain"], {}, "'rain' is requested twice"),
        ([], {}, "no variable is requested"),
        ("Rain", {}, "'Rain'.*'rain'"),
        (["rain", 2], {}, "unknown variable 2"),
    ],
)
def test_a_query_that_cannot_be_is_refused_in_a_sentence(variables, evidence, message):
    with pytest.raises(ValueError, match=message):
        RAIN.query(variables, evidence)


def test_an_answer_of_too_many_combinations_is_refused_before_it_is_computed():
    truth = random_dag(n_nodes=30, arity=3, max_parents=1, random_state=0)
    with pytest.raises(ValueError, match=r"30 variables have .* combinations of states, more than 1,000,000"):
        truth.query(truth.names)


def test_a_tie_goes_to_the_first_states():
    states = (("b", "a"), ("d", "c"))
    fair = Network(("x", "y"), states, ((), (0,)), ([0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]]))
    assert fair.most_probable() == MostProbable({"x": "b", "y": "d"}, 0.25)
    # together, not one by one: "a" is less probable than "b"
    likely = Network(("x", "y"), states, ((), (0,)), ([0.6, 0.4], [[0.5, 0.5], [0.0, 1.0]]))
    assert likely.most_probable() == MostProbable({"x": "a", "y": "c"}, pytest.approx(0.4))


def test_a_query_of_a_large_network_sums_out_all_the_others():
    truth = random_dag(n_nodes=80, arity=2, max_parents=2, random_state=1)
    row = truth.sample_table(1, 3).iloc[0]
    evidence = {name: row[name] for name in truth.names[40:60]}
    answer = truth.query("x0", evidence)
    np.testing.assert_allclose(answer, truth.posterior(pd.DataFrame([evidence]), of="x0")[0], atol=1e-12)
    best = truth.most_probable(evidence)
    assert len(best.states) == 60
    whole = pd.DataFrame([{**evidence, **best.states}])
    assert np.log(best.probability) == pytest.approx(
        float(truth.log_joint(whole)[0] - truth.log_joint(pd.DataFrame([evidence]))[0])
    )


def test_a_cpt_is_a_table_of_states():
    grass = RAIN.cpt("grass")
    assert list(grass.index.names) == ["sprinkler", "rain"]
    assert grass.loc[(True, "no"), "wet"] == 0.6
    assert list(grass.columns) == ["dry", "damp", "wet"]
    assert grass.columns.name == "grass"
    assert RAIN.cpt("sprinkler").loc["yes", True] == 0.01
    assert RAIN.cpt("rain").to_numpy().tolist() == [[0.8, 0.2]]
    np.testing.assert_array_equal(grass.to_numpy().reshape(2, 2, 3), RAIN.cpts[2])
    with pytest.raises(ValueError, match="did you mean 'rain'"):
        RAIN.cpt("rein")


def test_what_is_missing_in_a_row_was_not_observed():
    truth = random_tan(n_attributes=3, arity=2, n_classes=2, random_state=0)
    row = truth.sample_table(1, random_state=1).iloc[0].drop("y").astype(object)
    row["x1"] = np.nan
    seen = {name: state for name, state in row.items() if name != "x1"}
    pd.testing.assert_series_equal(truth.query("y", row), truth.query("y", seen))

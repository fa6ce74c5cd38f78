"""Concepts by hand, and what the ways to draw them promise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators import (
    Concept,
    Network,
    Rule,
    describe,
    random_decision_graph,
    random_decision_tree,
    random_parity,
    random_rules,
)
from generators.concepts._shared.rule import MOST_BOXES, box_of, box_size, disjoint_boxes

FORMS = [random_decision_tree, random_decision_graph, random_rules]
every_form = pytest.mark.parametrize("make", FORMS)

WEATHER = Network(
    ("outlook", "windy"),
    (("sunny", "overcast", "rain"), (False, True)),
    ((), (0,)),
    ([0.5, 0.3, 0.2], [[0.8, 0.2], [0.5, 0.5], [0.25, 0.75]]),
)
PLAY = Concept(
    WEATHER,
    [Rule(((0, (1,)),), 0), Rule(((0, (0, 2)), (1, (1,))), 1), Rule((), 2)],
    [[0.0, 1.0], [0.75, 0.25], [0.4, 0.6]],
    label="play",
    labels=("no", "yes"),
)


def test_a_posterior_by_hand():
    complete = PLAY.posterior([[1, 0], [2, 1], [0, 0]])
    np.testing.assert_allclose(complete, [[0, 1], [0.75, 0.25], [0.4, 0.6]])
    # windy, outlook unseen: overcast .3 * .5 plays surely; sunny .5 * .2 and rain .2 * .75 do not at 3 of 4
    windy = np.array([0.75 * (0.1 + 0.15), 0.15 + 0.25 * (0.1 + 0.15)])
    np.testing.assert_allclose(PLAY.posterior([[-1, 1]])[0], windy / windy.sum())
    np.testing.assert_allclose(np.exp(PLAY.log_joint([[-1, 1]], [1])), windy[1])
    # rain, wind unseen: windy with 3 of 4
    np.testing.assert_allclose(PLAY.posterior([[2, -1]])[0, 0], 0.75 * 0.75 + 0.25 * 0.4)
    # nothing seen: the leaves weighed by how often they are reached, .3, .25 and .45
    np.testing.assert_allclose(PLAY.class_marginal()[0], 0.25 * 0.75 + 0.45 * 0.4)


def test_evidence_on_the_class_multiplies_its_probabilities():
    columns = PLAY._columns(np.array([[1, 0], [2, -1], [-1, -1]]), PLAY.class_index)
    likelihoods = np.log([[0.2, 0.7], [0.5, 0.5], [1.0, 0.1]])
    table = PLAY._log_joint_table(columns, PLAY.class_index)
    given = PLAY._log_joint_table(columns, PLAY.class_index, {PLAY.class_index: likelihoods})
    np.testing.assert_allclose(np.exp(given), np.exp(table) * np.exp(likelihoods))
    seen = PLAY._log_joint_table(columns, None, {PLAY.class_index: likelihoods})[:, 0]
    np.testing.assert_allclose(np.exp(seen), np.exp(given).sum(axis=1))


def test_the_text_is_for_people():
    assert str(PLAY).splitlines() == [
        "play depends on outlook, windy",
        "  if outlook = overcast: play = yes",
        "  if outlook in {sunny, rain} and windy = True: play = no (0.750), yes (0.250)",
        "  otherwise: play = yes (0.600), no (0.400)",
    ]
    assert repr(PLAY) == "Concept(3 rules on 2 of 2 attributes, class 'play' of 2)"
    assert PLAY.structure == (
        "concept: 3 rules with 3 class distributions on 2 of 2 attributes, which are joined by 1 arcs"
    )


def test_attributes_that_no_condition_names_say_nothing():
    for make in FORMS:
        truth = make(n_attributes=5, arity=2, n_relevant=2, concentration=1.0, random_state=3)
        assert len(truth.relevant) <= 2
        for v in set(truth.attributes) - set(truth.relevant):
            table = truth.marginal_table((v, truth.class_index))
            np.testing.assert_allclose(table, np.outer(table.sum(axis=1), table.sum(axis=0)), atol=1e-12)


@pytest.mark.parametrize("split", ["multiway", "binary"])
def test_paths_of_a_tree_part_the_space_within_their_bounds(split):
    counts, depths = set(), set()
    for seed in range(40):
        truth = random_decision_tree(n_leaves=(3, 8), max_depth=3, split=split, random_state=seed)
        boxes = [box_of(dict(rule.conditions), truth.arities[:-1].tolist()) for rule in truth.rules]
        assert sum(map(box_size, boxes)) == truth.n_cells
        assert [len(parts) for parts in disjoint_boxes(boxes)] == [1] * len(boxes)
        counts.add(len(boxes))
        depths.add(max(len(rule.conditions) for rule in truth.rules))
    assert max(counts) <= 8
    assert counts >= {3, 4, 5, 6, 7}
    assert max(depths) == 3


def test_a_graph_reaches_each_of_its_leaves():
    for seed in range(30):
        truth = random_decision_graph(n_paths=(5, 9), n_leaves=(2, 4), random_state=seed)
        assert {rule.leaf for rule in truth.rules} == set(range(len(truth.leaves)))
        assert 2 <= len(truth.leaves) <= 4
        assert len(truth.leaves) <= len(truth.rules)


def test_each_rule_is_the_first_to_hold_somewhere():
    for seed in range(40):
        truth = random_rules(n_attributes=3, arity=2, n_rules=(3, 6), n_conditions=(1, 2), random_state=seed)
        ordered = [box_of(dict(rule.conditions), truth.arities[:-1].tolist()) for rule in truth.rules]
        assert all(disjoint_boxes(ordered))
        assert truth.rules[-1].conditions == ()
        assert all(1 <= len(rule.conditions) <= 2 for rule in truth.rules[:-1])


@every_form
def test_a_small_concentration_leaves_no_noise(make):
    for seed in range(10):
        assert make(concentration=1e-6, random_state=seed).leaves.max(axis=1).min() > 1 - 1e-9


@every_form
def test_attributes_can_depend_on_each_other(make):
    truth = make(n_attributes=6, max_parents=2, random_state=2)
    assert 0 < max(map(len, truth.attribute_network.parent_indices)) <= 2
    assert not any(make(n_attributes=6, random_state=2).attribute_network.parent_indices)


class TestParity:
    @pytest.mark.parametrize("order", [1, 3, 6])
    def test_the_class_is_as_often_as_said_the_parity_of_the_relevant_attributes(self, order):
        truth = random_parity(n_attributes=7, order=order, strength=0.6, random_state=order)
        assert len(truth.relevant) == order
        cells = truth.enumerate()
        odd = cells.codes[:, list(truth.relevant)].sum(axis=1) % 2
        of_even = int(cells.posterior[odd == 0][0].argmax())
        expected = np.where(np.arange(2) == (odd ^ of_even)[:, np.newaxis], 0.8, 0.2)
        np.testing.assert_allclose(cells.posterior, expected, atol=1e-12)

    def test_which_attributes_and_which_parity_are_drawn(self):
        truths = [random_parity(n_attributes=3, order=2, random_state=seed) for seed in range(40)]
        assert {truth.relevant for truth in truths} == {(0, 1), (0, 2), (1, 2)}
        assert {int(truth.leaves[0].argmax()) for truth in truths} == {0, 1}

    @pytest.mark.parametrize("order", [2, 4])
    def test_fewer_attributes_than_the_order_say_little_about_the_class(self, order):
        of_all, of_fewer = [], []
        for seed in range(5):
            truth = random_parity(n_attributes=order, order=order, random_state=seed)
            X = truth.enumerate().X
            of_all.append(information(truth, X))
            of_fewer += [information(truth, X.drop(columns=name)) for name in X]
        assert min(of_all) > 0.5
        assert np.mean(of_fewer) < 0.02

    def test_order_one_is_a_main_effect(self):
        truth = random_parity(order=1, random_state=2)
        facts = describe(truth)
        *others, largest = sorted(found.value for found in facts.attribute_information.values())
        assert largest == pytest.approx(facts.information.value)
        assert max(others) < 1e-12

    def test_strength_runs_from_independence_to_no_noise(self):
        assert describe(random_parity(strength=0, random_state=1)).information.value < 1e-12
        assert describe(random_parity(strength=1, random_state=1)).bayes_error.value == 0

    def test_the_order_is_at_most_the_number_of_attributes(self):
        assert random_parity(n_attributes=2, order=5, random_state=1).relevant == (0, 1)

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            ({"order": 0}, "order is 0"),
            ({"order": True}, "order is True"),
            ({"strength": "all"}, "strength is 'all'"),
        ],
    )
    def test_arguments_that_cannot_be_are_refused(self, wrong, message):
        with pytest.raises(ValueError, match=message):
            random_parity(random_state=1, **wrong)


def information(truth, X):
    """Return the information in bits that some of the attributes have about the class."""
    weight, posterior = np.exp(truth.log_joint(X)), truth.posterior(X)
    weight = weight / weight.sum()
    gain = posterior * np.log2(posterior / truth.class_marginal())
    return float(weight @ gain.sum(axis=1))


@given(st.lists(st.lists(st.integers(1, 7), min_size=3, max_size=3), min_size=1, max_size=5))
def test_disjoint_boxes_hold_each_combination_once_and_by_the_first(boxes):
    parts = disjoint_boxes([tuple(box) for box in boxes])
    for cell in np.ndindex(3, 3, 3):
        holds = [all(allowed >> code & 1 for allowed, code in zip(box, cell, strict=True)) for box in boxes]
        inside = [
            sum(all(allowed >> code & 1 for allowed, code in zip(box, cell, strict=True)) for box in part)
            for part in parts
        ]
        assert inside == [int(hold and not any(holds[:place])) for place, hold in enumerate(holds)]


COINS = Network(("a", "b"), ((0, 1), (0, 1)), ((), ()), ([0.5, 0.5], [0.5, 0.5]))


@pytest.mark.parametrize(
    ("rules", "leaves", "message"),
    [
        ([Rule(((0, (0,)),), 0)], [[1.0]], "leave 2 of 4 combinations without a class"),
        ([Rule(((0, (2,)),), 0), Rule((), 0)], [[1.0]], "allows the codes \\(2,\\) of 'a'"),
        ([Rule((), 1)], [[1.0]], "leads to leaf 1"),
        ([Rule((), 0)], [0.5, 0.5], "the leaves have the shape \\(2,\\)"),
    ],
)
def test_what_is_no_concept_is_refused(rules, leaves, message):
    with pytest.raises(ValueError, match=message):
        Concept(COINS, rules, leaves)
    with pytest.raises(ValueError, match="expected a Network without a class"):
        Concept(COINS.with_class("a"), [Rule((), 0)], [[1.0]])


def test_rules_that_cut_too_finely_are_refused():
    many = Network([f"v{i}" for i in range(40)], [(0, 1)] * 40, [()] * 40, [[0.5, 0.5]] * 40)
    rules = [Rule(tuple((20 * i % 40 + j, (0,)) for j in range(i, i + 10)), 0) for i in range(8)]
    with pytest.raises(ValueError, match=f"more than {MOST_BOXES:,} boxes: give fewer rules"):
        Concept(many, [*rules, Rule((), 0)], [[1.0]])


@every_form
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"n_relevant": 0}, "n_relevant is 0"),
        ({"max_parents": -1}, "max_parents is -1"),
        ({"concentration": 0}, "concentration is 0"),
    ],
)
def test_arguments_that_cannot_be_are_refused(make, wrong, message):
    with pytest.raises(ValueError, match=message):
        make(random_state=0, **wrong)


@pytest.mark.parametrize(
    ("wrong", "message"), [({"split": "ternary"}, "split is 'ternary'"), ({"max_depth": 0}, "max_depth is 0")]
)
def test_a_tree_that_cannot_be_is_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        random_decision_tree(random_state=0, **wrong)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('"leaf": 0', '"leaf": "0"'), "no int 'leaf'"),
        (
            ('["outlook", ["overcast"]]', '["cloud", ["overcast"]]'),
            "names 'cloud'",
        ),
        (('["outlook", ["overcast"]]', '["outlook", ["fog"]]'), "unknown state 'fog' of 'outlook'"),
        (('["outlook", ["overcast"]]', '["outlook"]'), "has the condition"),
        (('"rules"', '"rulez"'), "no list 'rules'"),
    ],
)
def test_json_that_is_no_concept_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        Concept.from_json(PLAY.to_json().replace(*change))

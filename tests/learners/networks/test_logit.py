"""Logits as local models: the kernel against a plain twin, a line by hand, and networks that use them."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import log_softmax

from learners import CaMMLClassifier, StructurePrior, learn_network, message_length
from learners.networks._kernels.logit_cost import complete_cells, contrasts, fit_logit, logit_cost
from learners.networks.families import learn_family
from learners.networks.search import SearchProblem, fast_search, shortest_network
from tests.brute_force import shortest_of_all_graphs

LN3 = math.log(3)


def dependent(size):
    """Return the map from all effects but the last to all, which sum to zero."""
    return np.vstack([np.eye(size - 1), -np.ones(size - 1)])


def plain_logit(values, counts, sizes):
    """Fit the logit in the coordinates of the original program: all effects but each last one.

    The length is written as it is there, but for the prior's curvature, which is added to the information.
    """
    r = counts.shape[1]
    whole = dependent(r)
    blocks = [np.broadcast_to(whole, (len(values), r, r - 1))]
    spreads = [whole]
    for j, size in enumerate(sizes):
        own = dependent(size)
        blocks.append(np.array([np.kron(own[x], whole) for x in values[:, j]]).reshape(len(values), r, -1))
        spreads.append(np.kron(own, whole))
    design = np.concatenate(blocks, axis=2)
    d = design.shape[2]
    precision = np.zeros((d, d))
    place = 0
    for spread in spreads:
        end = place + spread.shape[1]
        precision[place:end, place:end] = spread.T @ spread / 9
        place = end

    def negative(free):
        return -(counts * log_softmax(design @ free, axis=1)).sum() + free @ precision @ free / 2

    def slope(free):
        p = np.exp(log_softmax(design @ free, axis=1))
        return -np.einsum("cka,ck->a", design, counts - counts.sum(1, keepdims=True) * p) + precision @ free

    def information(free):
        p = np.exp(log_softmax(design @ free, axis=1))
        inner = np.einsum("ck,kl->ckl", p, np.eye(r)) - np.einsum("ck,cl->ckl", p, p)
        return np.einsum("c,cka,ckl,clb->ab", counts.sum(1), design, inner, design)

    free = minimize(
        negative, np.zeros(d), jac=slope, hess=lambda f: information(f) + precision, method="trust-exact"
    ).x
    for _ in range(5):
        free = free - np.linalg.solve(information(free) + precision, slope(free))
    n_effects = 1 + sum(size - 1 for size in sizes)
    cost = (
        d * (0.5 * math.log(2 * math.pi) + math.log(3))
        - 0.5 * math.log(r) * n_effects
        - 0.5 * (r - 1) * sum(map(math.log, sizes))
        + negative(free)
        + 0.5 * np.linalg.slogdet(information(free) + precision)[1]
        - 0.5 * d * math.log(2 * math.pi)
        + 0.5 * math.log(d * math.pi)
    )
    return cost, np.exp(log_softmax(design @ free, axis=1)), np.abs(slope(free)).max()


@st.composite
def cells(draw):
    sizes = np.array(draw(st.lists(st.integers(1, 4), max_size=3)), dtype=np.int64)
    r = draw(st.integers(2, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_cells = draw(st.integers(1, 12))
    values = np.column_stack([np.zeros(n_cells, np.int64), *(rng.integers(0, s, n_cells) for s in sizes)])[
        :, 1:
    ]
    scale = draw(st.sampled_from([1, 5, 200]))
    counts = rng.integers(0, scale + 1, (n_cells, r)) * (rng.random((n_cells, r)) < 0.7)
    return np.ascontiguousarray(values), counts, sizes


@given(cells())
def test_the_kernel_fits_what_a_plain_twin_fits(case):
    values, counts, sizes = case
    effects, cost = fit_logit(values, counts, sizes, True)
    expected, p, slope = plain_logit(values, counts, sizes.tolist())
    assert slope < 1e-8
    assert cost == pytest.approx(expected, abs=1e-9 * max(1.0, abs(expected)))
    terms = [np.ones((len(values), 1)), *(contrasts(s)[values[:, j]] for j, s in enumerate(sizes))]
    heights = np.hstack(terms) @ effects @ contrasts(counts.shape[1]).T
    np.testing.assert_allclose(np.exp(log_softmax(heights, axis=1)), p, atol=1e-9)


def test_one_line_by_hand():
    # five rows of each of two values, no parents: the effects are 0, and so the probabilities 1/2; in the
    # contrast (1, -1) / sqrt(2) the information is 10 * (1/4) * 2 = 5, to which the prior adds 1/9
    _, cost = fit_logit(np.zeros((1, 0), np.int64), np.array([[5, 5]]), np.array([], np.int64), True)
    by_hand = math.log(3) + 0.5 * math.log(5 + 1 / 9) + 10 * math.log(2) + 0.5 * math.log(math.pi)
    assert cost == pytest.approx(by_hand, abs=1e-12)


def test_estimates_are_stationary_and_without_rows_cost_their_statement_alone():
    effects, cost = fit_logit(np.zeros((0, 2), np.int64), np.zeros((0, 3), np.int64), np.array([2, 3]), True)
    assert not effects.any()
    assert cost == pytest.approx(0.5 * math.log(math.pi * 8), abs=1e-12)  # 2 (1 + 1 + 2) free parameters


def test_contrasts_are_orthonormal_and_sum_to_zero():
    for size in (1, 2, 3, 7):
        own = contrasts(size)
        np.testing.assert_allclose(own.T @ own, np.eye(size - 1), atol=1e-14)
        np.testing.assert_allclose(own.sum(axis=0), 0, atol=1e-14)


def additive(n_rows=1000, n_parents=4, seed=0, arity=3):
    """The last column depends on all others, each with an effect of its own."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, arity, (n_rows, n_parents))
    effects = rng.normal(0, 1, (n_parents, arity, arity))
    heights = effects[np.arange(n_parents), X].sum(axis=1)
    y = (heights + rng.gumbel(size=heights.shape)).argmax(axis=1)
    return np.column_stack([X, y])


def problem_of(X, **options):
    codes = np.ascontiguousarray(X.T.astype(np.uint8))
    return SearchProblem.of(codes, X.max(axis=0).astype(np.int64) + 1, **options)


def test_a_logit_is_shorter_where_effects_add_up():
    X = additive()
    cost = {
        model: problem_of(X, local_model=model).family_cost(4, (0, 1, 2, 3))
        for model in ("table", "tree", "logit", "auto")
    }
    assert cost["logit"] < min(cost["table"], cost["tree"]) - 50
    assert cost["auto"] == pytest.approx(cost["logit"] + LN3, abs=1e-9)


@given(st.integers(0, 2**32 - 1), st.integers(0, 60), st.booleans())
def test_the_shortest_of_three_is_never_longer_than_another_but_for_saying_which(seed, n_rows, holes):
    rng = np.random.default_rng(seed)
    arities = rng.integers(1, 4, 4)
    codes = rng.integers(0, arities[:, None] + holes, (4, n_rows)).astype(np.uint8)
    for parents in ((), (1,), (1, 2), (1, 2, 3)):
        cost = {
            model: SearchProblem.of(codes, arities, local_model=model).family_cost(0, parents)
            for model in ("table", "tree", "logit", "auto")
        }
        if len(parents) < 2:
            shortest = min(cost["table"], cost["logit"])
            assert cost["auto"] == pytest.approx(shortest + math.log(2), abs=1e-9)
        else:
            shortest = min(cost[model] for model in ("table", "tree", "logit"))
            assert cost["auto"] == pytest.approx(shortest + LN3, abs=1e-9)


def test_rows_with_holes_are_those_of_the_child_alone():
    X = additive(300)
    arities = X.max(axis=0) + 1
    codes = X.T.astype(np.uint8)
    whole = np.ascontiguousarray(codes[:, 50:])
    codes[1, :50] = arities[1]
    problem = SearchProblem.of(np.ascontiguousarray(codes), arities, local_model="logit")
    rest = SearchProblem.of(whole, arities, local_model="logit")
    expected = rest.family_cost(4, (0, 1)) + problem.family_cost(4, ()) - rest.family_cost(4, ())
    assert problem.family_cost(4, (0, 1)) == pytest.approx(expected, abs=1e-9)
    family = learn_family(problem, 4, (0, 1))
    assert family.data < problem.family_cost(4, (0, 1))


@pytest.mark.parametrize("local_model", ["table", "shorter", "logit", "auto"])
def test_a_parent_that_is_always_missing_saves_nothing(local_model):
    values = np.random.default_rng(0).integers(0, 8, 400)
    problem = SearchProblem.of(
        np.array([values, np.full(400, 2)], np.uint8), np.array([8, 2]), local_model=local_model
    )
    assert problem.family_cost(0, (1,)) >= problem.family_cost(0, ()) - 1e-9


@pytest.mark.parametrize("local_model", ["logit", "auto"])
def test_independent_columns_that_are_half_missing_have_no_arcs(local_model):
    rng = np.random.default_rng(1)
    codes = np.where(rng.random((5, 400)) < 0.5, 8, rng.integers(0, 8, (5, 400))).astype(np.uint8)
    problem = SearchProblem.of(codes, np.full(5, 8), local_model=local_model)
    assert shortest_network(problem, arc_probability="joint").parents == ((),) * 5


@pytest.mark.parametrize("local_model", ["logit", "auto"])
def test_searches_find_the_shortest_of_all_graphs(local_model):
    problem = problem_of(additive(200, 3), local_model=local_model)
    best = shortest_of_all_graphs(problem, 0.3)
    for search in (shortest_network, fast_search):
        found = search(problem, arc_probability=0.3)
        assert found.length == pytest.approx(best, abs=1e-9)
        assert problem.length(found.parents, 0.3) == pytest.approx(best, abs=1e-9)


def test_a_learned_family_says_its_model_and_its_probabilities_are_those_of_the_fit():
    X = additive(500, 2)
    problem = problem_of(X, local_model="auto")
    family = learn_family(problem, 2, (0, 1))
    assert (family.local_model, family.n_rows) == ("logit", 5)
    odds = np.log(family.cpt)
    odds -= odds.mean(axis=-1, keepdims=True)  # additive: no interaction of the parents
    inner = odds - odds.mean(axis=0, keepdims=True) - odds.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(inner + odds.mean(axis=(0, 1)), 0, atol=1e-12)
    values, counts, _ = complete_cells(problem.codes, problem.arities, 2, np.array([0, 1]))
    _, p, _ = plain_logit(values, counts, [3, 3])
    np.testing.assert_allclose(family.cpt[values[:, 0], values[:, 1]], p, atol=1e-9)


def test_a_learner_forecasts_by_logits_with_holes_too():
    X = additive(2000)
    camml = CaMMLClassifier(local_model="auto").fit(X[:, :-1], X[:, -1])
    table = CaMMLClassifier().fit(X[:, :-1], X[:, -1])
    assert "logit" in camml.learned_.local_models
    assert camml.message_length_ < table.message_length_
    fresh = additive(2000, seed=0)[:, :-1].astype(float)
    fresh[:, 0] = np.nan
    np.testing.assert_allclose(camml.predict_proba(fresh).sum(axis=1), 1)
    learned = learn_network(X, local_model="auto")
    assert learned.variables["local_model"].tolist() == list(learned.local_models)
    parts = learned.structure + learned.parameters.sum() + learned.data.sum()
    assert learned.message_length == pytest.approx(parts)


def test_families_beyond_the_limits_are_not_taken():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 5, (8, 100)).astype(np.uint8)
    arities = np.full(8, 5)
    problem = SearchProblem.of(codes, arities, local_model="logit")
    assert math.isfinite(problem.family_cost(0, (1, 2, 3, 4, 5)))  # 15,625 cells
    assert problem.family_cost(0, (1, 2, 3, 4, 5, 6)) == math.inf  # 78,125
    wide = SearchProblem.of(codes, np.array([120, 6, *arities[2:]]), local_model="logit")
    assert wide.family_cost(0, (1, 2)) == math.inf  # 119 times 10 free parameters
    assert logit_cost(codes, np.full(8, 5), problem.ln_factorials, 0.17, 0, np.array([1])) > 0


@pytest.mark.parametrize("local_model", ["logit", "auto"])
@pytest.mark.filterwarnings("ignore::learners.ConstantColumnWarning")
def test_constant_and_repeated_columns_and_one_class_are_learned(local_model):
    rng = np.random.default_rng(0)
    x = rng.integers(0, 3, 200)
    X = np.column_stack([x, x, np.zeros(200, int), rng.integers(0, 2, 200)])
    for y in ((x + (rng.random(200) < 0.2)) % 3, np.zeros(200, int)):
        camml = CaMMLClassifier(local_model=local_model, arities=[3, 3, 2, 2]).fit(X, y)
        assert math.isfinite(camml.message_length_)
        np.testing.assert_allclose(camml.predict_proba(X).sum(axis=1), 1)
    noisy = np.where(rng.random(200) < 0.4, rng.integers(0, 3, 200), x)
    problem = problem_of(np.column_stack([X, noisy]), local_model="logit")
    assert problem.family_cost(4, (0, 1)) > problem.family_cost(4, (0,))  # the second says no more
    assert math.isfinite(problem.family_cost(2, (0, 1)))  # of a constant child


def test_a_column_too_wide_for_a_logit_is_named():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 700, 1400), rng.integers(0, 2, 1400)])
    X[:700, 0] = np.arange(700)
    with pytest.raises(ValueError, match=r"'x0'.*700.*601"):
        learn_network(X, local_model="logit", categorical_features=[0, 1])


def test_trees_are_not_chosen_whose_tables_no_network_can_keep():
    X = np.random.default_rng(1).integers(0, 9, (3000, 10)).astype(np.uint8)
    problem = SearchProblem.of(np.ascontiguousarray(X.T), np.full(10, 9), local_model="tree")
    assert problem.family_cost(0, tuple(range(1, 9))) == math.inf
    assert math.isfinite(problem.family_cost(0, (1, 2, 3)))


@pytest.mark.parametrize(
    "n_rows, n_columns, rare, arity", [(50, 6, 0, 5), (200, 8, 0.01, 4), (500, 8, 0.004, 5)]
)
@pytest.mark.filterwarnings("ignore::learners.ConstantColumnWarning")
def test_no_arcs_among_independent_columns_of_rare_values(n_rows, n_columns, rare, arity):
    """Parents that tell nothing must not buy a shorter code of rare values."""
    rng = np.random.default_rng(0)
    common = rng.random((n_rows, n_columns)) >= rare * (arity - 1)
    X = np.where(common, 0, rng.integers(1, arity, (n_rows, n_columns)))
    learned = learn_network(X, local_model="auto", arities=[arity] * n_columns, random_state=0)
    assert learned.network.arcs == ()


def test_one_parent_or_none_has_the_shorter_of_table_and_logit():
    X = additive(60)
    shortest, table, logit = (problem_of(X, local_model=name) for name in ("auto", "table", "logit"))
    for parents in ((), (1,)):
        alone = [one.family_cost(0, parents) for one in (table, logit)]
        assert shortest.family_cost(0, parents) == pytest.approx(min(alone) + math.log(2))


def test_message_of_a_family_that_no_logit_can_encode_is_refused():
    rng = np.random.default_rng(0)
    wide = pd.Categorical(rng.integers(0, 250, 600).astype(str))
    rows = pd.DataFrame({"wide": wide, "a": rng.integers(0, 2, 600), "b": rng.integers(0, 2, 600)})
    rows = rows.astype({"a": "category", "b": "category"})
    with pytest.raises(ValueError, match=r"logit.*'wide'.*2.*65,000.*600"):
        message_length(rows, {"wide": ["a", "b"]}, local_model="logit")
    prior = StructurePrior(required=[("a", "wide"), ("b", "wide")])
    with pytest.raises(ValueError, match=r"600.*parameters.*logit"):
        learn_network(rows, local_model="logit", structure_prior=prior)

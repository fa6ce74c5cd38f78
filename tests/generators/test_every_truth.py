"""What every kind of truth keeps, held against a count of all that can happen."""

import functools
import inspect
import itertools
import json
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import generators
from generators import (
    GENERATORS,
    Concept,
    IrrelevantAttributes,
    LabelNoise,
    MissingValues,
    Mixture,
    Network,
    RedundantAttributes,
    add_irrelevant,
    add_label_noise,
    add_missing,
    add_redundant,
    altered,
    from_json,
    make_numeric,
    random_aode,
    random_gaussian_aode,
    random_gaussian_naive_bayes,
    random_gaussian_tan,
    random_kdb,
    random_rules,
    random_tan,
)
from generators.files.documents import KINDS
from generators.networks.truth import Truth

SMALL = {"n_attributes": 3, "arity": (2, 3), "n_classes": (2, 3)}
DRAWN = [make for make in GENERATORS.values() if isinstance(make(random_state=0), Truth)]
MECHANISMS = ["completely_at_random", "at_random", "not_at_random"]


def small(make, seed):
    """Draw a truth that is counted in no time, with those of the options that its generator takes."""
    taken = inspect.signature(make).parameters
    return make(**{name: value for name, value in SMALL.items() if name in taken}, random_state=seed)


def joined_concept(seed):
    """A concept whose attributes depend on each other."""
    return random_rules(**SMALL, max_parents=2, concentration=0.5, random_state=seed)


def everything(seed, mechanism="not_at_random"):
    """A truth altered in every way that keeps it nominal."""
    base = random_tan(n_attributes=2, arity=2, n_classes=(2, 3), random_state=seed)
    options = {"irrelevant": 1, "redundant": 2, "fidelity": 0.8, "label_noise": 0.2, "missing": 0.3}
    return altered(base, **options, mechanism=mechanism, random_state=seed)


NOMINAL = {
    **{make.__name__: functools.partial(small, make) for make in DRAWN},
    "joined_concept": joined_concept,
    "irrelevant": lambda seed: add_irrelevant(joined_concept(seed), 1, arity=2, random_state=seed),
    "redundant": lambda seed: add_redundant(joined_concept(seed), 2, fidelity=0.7, random_state=seed),
    "label_noise": lambda seed: add_label_noise(random_aode(**SMALL, random_state=seed), 0.15),
    **{
        f"missing_{mechanism}": lambda seed, mechanism=mechanism: add_missing(
            random_kdb(**SMALL, random_state=seed), 0.3, mechanism=mechanism, random_state=seed
        )
        for mechanism in MECHANISMS
    },
    "everything": everything,
}
NUMERIC = {
    "gaussian_naive_bayes": lambda seed: random_gaussian_naive_bayes(random_state=seed),
    "gaussian_tan": lambda seed: random_gaussian_tan(random_state=seed),
    "gaussian_aode": lambda seed: random_gaussian_aode(random_state=seed),
    "numeric_cuts": lambda seed: make_numeric(random_tan(**SMALL, random_state=seed), 2, random_state=seed),
    "numeric_with_missing": lambda seed: make_numeric(everything(seed), random_state=seed),
}
EVERY = NOMINAL | NUMERIC

every_nominal = pytest.mark.parametrize("kind", NOMINAL)
every_kind = pytest.mark.parametrize("kind", EVERY)


def outcomes(truth):
    """Yield all that can happen: values, what is seen of them (-1: missing), probability."""
    if isinstance(truth, Network):
        for row in itertools.product(*(range(len(states)) for states in truth.states)):
            families = zip(truth.parent_indices, truth.cpts, strict=True)
            yield (
                row,
                row,
                np.prod([cpt[tuple(row[p] for p in ps)][row[v]] for v, (ps, cpt) in enumerate(families)]),
            )
    elif isinstance(truth, Mixture):
        for weight, component in zip(truth.weights, truth.components, strict=True):
            for row, _, p in outcomes(component):
                yield row, row, weight * p
    elif isinstance(truth, Concept):
        for row, _, p in outcomes(truth.attribute_network):
            held = [rule for rule in truth.rules if all(row[v] in codes for v, codes in rule.conditions)]
            for y, q in enumerate(truth.leaves[held[0].leaf]):
                yield (*row, y), (*row, y), p * q
    elif isinstance(truth, IrrelevantAttributes):
        for (row, _, p), (more, _, q) in itertools.product(outcomes(truth.truth), outcomes(truth.irrelevant)):
            yield (*row, *more), (*row, *more), p * q
    elif isinstance(truth, RedundantAttributes):
        for row, _, p in outcomes(truth.truth):
            tables = [table[row[v]] for v, table in zip(truth.copied, truth.tables, strict=True)]
            for more in itertools.product(*(range(len(table)) for table in tables)):
                q = np.prod([table[code] for table, code in zip(tables, more, strict=True)])
                yield (*row, *more), (*row, *more), p * q
    elif isinstance(truth, LabelNoise):
        at = truth.class_index
        for row, _, p in outcomes(truth.truth):
            for y, q in enumerate(truth.confusion[row[at]]):
                written = (*row[:at], y, *row[at + 1 :])
                yield written, written, p * q
    elif isinstance(truth, MissingValues):
        for row, _, p in outcomes(truth.truth):
            rates = [r[0 if d is None else row[d]] for d, r in zip(truth.drivers, truth.rates, strict=True)]
            for lost in itertools.product((False, True), repeat=len(rates)):
                q = np.prod([r if gone else 1 - r for r, gone in zip(rates, lost, strict=True)])
                gone = {v for v, away in zip(truth.attributes, lost, strict=True) if away}
                yield row, tuple(-1 if v in gone else code for v, code in enumerate(row)), p * q


@functools.lru_cache(maxsize=4)
def table_of(truth):
    rows, seen, p = zip(*outcomes(truth), strict=True)
    return np.array(rows), np.array(seen), np.array(p)


def counted(truth, evidence, target):
    """Count P(target, evidence) for evidence codes of all variables, of which the target's is not read."""
    rows, seen, p = table_of(truth)
    fits = np.ones(len(p), dtype=bool)
    for v, code in enumerate(evidence):
        if v == target:
            continue
        # only where missing is an observation does a missing value have to be missing
        observed = (
            isinstance(truth, MissingValues)
            and v != truth.class_index
            and truth.rates[truth.attributes.index(v)].any()
        )
        if code >= 0 or observed:
            fits &= seen[:, v] == code
    return np.bincount(rows[fits, target], weights=p[fits], minlength=truth.arities[target])


@every_nominal
def test_the_posterior_is_that_of_counting_all_that_can_happen(kind):
    truth = NOMINAL[kind](0)
    codes = truth.sample_codes(12, 0).astype(int)
    rng = np.random.default_rng(0)
    if not isinstance(truth, MissingValues):
        codes[rng.random(codes.shape) < 0.4] = -1
    for target in range(truth.n_variables):
        others = np.delete(codes, target, axis=1)
        for row, found in zip(codes, truth.posterior(others, of=truth.names[target]), strict=True):
            joint = counted(truth, row, target)
            np.testing.assert_allclose(found, joint / joint.sum(), atol=1e-11)


@every_nominal
def test_log_joint_and_class_marginal_are_those_of_counting(kind):
    truth = NOMINAL[kind](3)
    codes, at = truth.sample_codes(10, 1).astype(int), truth.class_index
    X, y = codes[:, list(truth.attributes)], codes[:, at]
    expected = [counted(truth, row, at) for row in codes]
    np.testing.assert_allclose(
        np.exp(truth.log_joint(X, y)), [e[k] for e, k in zip(expected, y, strict=True)]
    )
    np.testing.assert_allclose(np.exp(truth.log_joint(X)), [e.sum() for e in expected])
    rows, _, p = table_of(truth)
    for v, name in enumerate(truth.names):
        marginal = np.bincount(rows[:, v], weights=p, minlength=truth.arities[v])
        np.testing.assert_allclose(truth.class_marginal(name), marginal, atol=1e-12)


@every_nominal
def test_enumeration_is_all_that_can_be_seen(kind):
    truth = NOMINAL[kind](4)
    cells = truth.enumerate()
    assert len(cells.codes) == truth.n_cells
    place = {tuple(row): number for number, row in enumerate(cells.codes.astype(int).tolist())}
    joint = np.zeros_like(cells.joint)
    for _, seen, p in zip(*table_of(truth), strict=True):
        if p == 0:
            continue  # no cell for a missing value that never is
        joint[place[tuple(seen[v] for v in truth.attributes)], seen[truth.class_index]] += p
    np.testing.assert_allclose(cells.joint, joint, atol=1e-12)
    np.testing.assert_allclose(truth.posterior(cells.X), cells.posterior, atol=1e-10)
    assert np.array_equal(truth.posterior(cells.X), truth.posterior(cells.codes))


@every_nominal
def test_marginal_tables_are_those_of_the_enumeration(kind):
    truth = NOMINAL[kind](5)
    cells = truth.enumerate()
    pairs = list(itertools.combinations(range(len(truth.attributes)), 2))
    scopes = [(*(truth.attributes[place] for place in pair), truth.class_index) for pair in pairs]
    for pair, scope, table in zip(pairs, scopes, truth._marginal_tables(scopes), strict=True):
        np.testing.assert_allclose(table, truth.marginal_table(scope), atol=1e-14)
        codes = cells.codes[:, list(pair)].astype(int)
        expected = np.zeros_like(table)
        np.add.at(expected, (codes[:, 0], codes[:, 1]), cells.joint)
        np.testing.assert_allclose(table, expected, atol=1e-12)


@every_nominal
def test_rows_are_sampled_as_often_as_they_should_be(kind):
    truth = NOMINAL[kind](6)
    n = 200_000
    codes = truth.sample_codes(n, 7).astype(int)
    radix = truth.arities + 1
    shift = 1  # a missing value is -1
    cells = np.ravel_multi_index((codes + shift).T, radix)
    _, seen, p = table_of(truth)
    expected = (
        np.bincount(np.ravel_multi_index((seen + shift).T, radix), weights=p, minlength=radix.prod()) * n
    )
    observed = np.bincount(cells, minlength=radix.prod())
    assert not observed[expected == 0].any()
    frequent = expected >= 5
    observed = np.append(observed[frequent], n - observed[frequent].sum())
    expected = np.append(expected[frequent], n - expected[frequent].sum())
    kept = expected > 1e-6
    assert stats.chisquare(observed[kept], expected[kept]).pvalue > 1e-4


@pytest.mark.parametrize("kind", [kind for kind in NOMINAL if NOMINAL[kind](8).complete])
def test_a_missing_value_is_summed_out_where_missing_says_nothing(kind):
    truth = NOMINAL[kind](8)
    X, _ = truth.sample(4, 2)
    first = truth.attributes[0]
    whole = np.exp([truth.log_joint(X.assign(**{truth.names[first]: s})) for s in truth.states[first]]).sum(
        axis=0
    )
    np.testing.assert_allclose(np.exp(truth.log_joint(X.drop(columns=truth.names[first]))), whole)


@every_kind
def test_json_and_pickle_give_the_truth_back(kind):
    truth = EVERY[kind](9)
    X, _ = truth.sample(20, 3)
    for read in (
        from_json(truth.to_json()),
        type(truth).from_json(truth.to_json()),
        pickle.loads(pickle.dumps(truth)),
    ):
        assert type(read) is type(truth)
        assert read.to_json() == truth.to_json()
        assert np.array_equal(read.posterior(X), truth.posterior(X))
        pd.testing.assert_frame_equal(read.sample(20, 3)[0], X)
    with pytest.raises(ValueError, match="describes a"):
        (Network if isinstance(truth, Mixture) else Mixture).from_json(truth.to_json())
    assert truth.structure.strip()


@every_kind
def test_a_seed_gives_the_same_rows_alone_in_a_batch_and_in_turn(kind):
    truth, rng = EVERY[kind](10), np.random.Generator(np.random.PCG64(5))
    assert truth.to_json() == EVERY[kind](10).to_json() != EVERY[kind](11).to_json()
    batches = list(truth.sample_batches(25, batch_rows=10, random_state=5))
    assert [len(y) for _, y in batches] == [10, 10, 5]
    for X, y in batches:
        expected = truth.sample(len(y), rng)
        pd.testing.assert_frame_equal(X, expected[0])
        pd.testing.assert_series_equal(y, expected[1])
    together = truth.posterior(X)
    np.testing.assert_allclose(together.sum(axis=1), 1.0, atol=1e-12)
    for i in range(len(X)):
        assert np.array_equal(truth.posterior(X.iloc[[i]])[0], together[i])


@every_kind
def test_forecasts_of_the_truth_are_calibrated(kind):
    """The mean posterior of a class is its frequency, within four standard errors."""
    truth = EVERY[kind](14)
    X, y = truth.sample(20_000, 1)
    for k, label in enumerate(truth.classes):
        gap = truth.posterior(X)[:, k] - (y == label).to_numpy()
        assert abs(gap.mean()) <= 4 * gap.std() / np.sqrt(len(y)) + 1e-12


@pytest.mark.parametrize("kind", ["random_tan", "random_aode", "everything", "gaussian_tan"])
def test_a_column_that_is_no_variable_is_refused(kind):
    truth = EVERY[kind](15)
    X, _ = truth.sample(2, 1)
    with pytest.raises(ValueError, match="'odd'"):
        truth.posterior(X.assign(odd=1.0))


@pytest.mark.slow
@given(seed=st.integers(0, 100_000), mechanism=st.sampled_from(MECHANISMS))
@settings(max_examples=15)
def test_alterations_on_alterations_stay_exact(seed, mechanism):
    truth = everything(seed, mechanism)
    row = truth.sample_codes(1, seed)[0].astype(int)
    joint = counted(truth, row, truth.class_index)
    found = truth.posterior(row[list(truth.attributes)][np.newaxis])[0]
    np.testing.assert_allclose(found, joint / joint.sum(), atol=1e-11)


def test_every_kind_of_document_is_among_them():
    without_class = {"gaussian_network"}  # see networks/test_gaussian_network.py
    assert {EVERY[kind](0).kind for kind in EVERY} == set(KINDS) - without_class


def test_everything_that_is_exported_exists():
    assert all(hasattr(generators, name) for name in generators.__all__)


def damaged(value, rng):
    """Change one thing somewhere in plain data."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(sorted(value))
        return {**value, key: damaged(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        place = int(rng.integers(len(value)))
        return [*value[:place], damaged(value[place], rng), *value[place + 1 :]]
    odd = [None, True, -1, 3, 0.25, 1e308, 10**400, "x0", "", [], {}, [[0.5]], [1, 2]]
    return odd[int(rng.integers(len(odd)))]


@pytest.mark.parametrize("kind", ["random_tan", "random_rules", "everything", "gaussian_aode"])
def test_json_that_is_damaged_is_a_truth_or_one_sentence(kind):
    document = json.loads(EVERY[kind](16).to_json())
    rng = np.random.default_rng(1)
    messages = []
    for _ in range(100):
        text = json.dumps(damaged(document, rng))
        try:
            read = from_json(text)
        except ValueError as error:
            messages.append(str(error))
        else:
            assert from_json(read.to_json()).to_json() == read.to_json()
    assert len(messages) > 30
    assert all("\n" not in message and len(message) < 500 for message in messages)

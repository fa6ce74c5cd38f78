"""pgmpy as the oracle of altered truths: what is hidden is a node that its elimination sums out."""

import logging

import numpy as np
import pytest

from generators import (
    LabelNoise,
    MissingValues,
    Network,
    add_irrelevant,
    add_label_noise,
    add_missing,
    add_redundant,
    random_dag_with_class,
    random_kdb,
)

# pgmpy takes seconds to import, and warns of its own modules
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:`pgmpy:FutureWarning")]

pytest.importorskip("pgmpy")


@pytest.fixture(autouse=True)
def quiet():
    logging.getLogger("pgmpy").setLevel(logging.ERROR)


@pytest.mark.parametrize("make", [random_kdb, random_dag_with_class])
@pytest.mark.parametrize("mechanism", ["completely_at_random", "at_random", "not_at_random"])
def test_the_posterior_is_that_of_a_network_with_hidden_nodes(make, mechanism):
    from pgmpy.inference import VariableElimination

    base = make(n_attributes=3, arity=(2, 3), n_classes=3, random_state=5)
    altered = add_irrelevant(add_redundant(base, 1, fidelity=0.8, random_state=1), 1, random_state=1)
    noisy = add_label_noise(altered, 0.2)
    truth = add_missing(noisy, 0.4, mechanism=mechanism, random_state=2)
    oracle = VariableElimination(hidden_nodes(base, altered, noisy, truth).to_pgmpy())
    codes = truth.sample_codes(8, 3)
    found = truth.posterior(codes[:, list(truth.attributes)])
    for row, posterior in zip(codes, found, strict=True):
        evidence = {}
        for v, code in enumerate(row):
            if v == truth.class_index:
                continue
            if code >= 0:
                evidence[truth.names[v]] = int(code)
            if truth.can_miss[truth.attributes.index(v)]:
                evidence[f"lost_{truth.names[v]}"] = int(code < 0)
        answer = oracle.query(["written"], evidence=evidence, show_progress=False)
        order = [answer.state_names["written"].index(state) for state in truth.classes]
        np.testing.assert_allclose(posterior, answer.values[order], atol=1e-11)


def hidden_nodes(base: Network, altered, noisy: LabelNoise, truth: MissingValues) -> Network:
    """Write all alterations down as nodes: the labels that are written, and whether each value is lost."""
    names, states = list(altered.names), list(altered.states)
    parents, cpts = list(base.parent_indices), list(base.cpts)
    copies, extra = altered.truth, altered.irrelevant
    parents += [(v,) for v in copies.copied] + list(extra.parent_indices)
    cpts += [*copies.tables, *extra.cpts]
    at = base.class_index
    names.append("written")
    states.append(base.classes)
    parents.append((at,))
    cpts.append(noisy.confusion)
    for name, driver, rates in zip(truth.attribute_names, truth.drivers, truth.rates, strict=True):
        names.append(f"lost_{name}")
        states.append((0, 1))
        parents.append(() if driver is None else (driver,))
        table = np.column_stack([1 - rates, rates])
        cpts.append(table[0] if driver is None else table)
    return Network(names, states, parents, cpts)

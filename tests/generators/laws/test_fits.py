"""Which laws each kind of truth of ours can come from, written down for all pairs."""

from types import SimpleNamespace

import numpy as np
import pytest

from generators import (
    AddedAttributesLaw,
    AODELaw,
    DAGLaw,
    GaussianNaiveBayes,
    GaussianNaiveBayesLaw,
    GaussianTANLaw,
    IntractableLaw,
    KDBLaw,
    Mixture,
    NaiveBayesLaw,
    Network,
    TANLaw,
    add_irrelevant,
    add_label_noise,
    add_missing,
    add_redundant,
    from_json,
    make_numeric,
    random_aode,
    random_dag,
    random_dag_with_class,
    random_decision_tree,
    random_gaussian_aode,
    random_gaussian_naive_bayes,
    random_gaussian_tan,
    random_kdb,
    random_naive_bayes,
    random_tan,
)
from generators.files.documents import KINDS
from generators.laws._shared.law import TRUTHS

BAYES = random_naive_bayes(n_attributes=4, random_state=1)
TAN = random_tan(n_attributes=4, random_state=1)
COPIED = add_redundant(BAYES, 1, random_state=1)

LAWS = {
    "bayes": NaiveBayesLaw(),
    "tan": TANLaw(),
    "kdb0": KDBLaw(k=0),
    "kdb1": KDBLaw(k=1),
    "kdb2": KDBLaw(k=2),
    "dag": DAGLaw(max_parents=3),
    "aode": AODELaw(),
    "gaussian": GaussianNaiveBayesLaw(),
    "gaussian_tan": GaussianTANLaw(),
    "irrelevant": AddedAttributesLaw(NaiveBayesLaw(), ("z0",)),
    "copied": AddedAttributesLaw(NaiveBayesLaw(), COPIED.copy_names, copies=True),
    "hidden": AddedAttributesLaw(IntractableLaw("labels are noisy"), ("z0",)),
    "none": IntractableLaw("secret"),
}


def with_further(truth, name, *parents):
    """Return a network with another attribute of two states below some variables."""
    shape = [len(truth.states[parent]) for parent in parents]
    cpts = (*truth.cpts, np.full((*shape, 2), 0.5))
    states = (*truth.states, (0, 1))
    return Network((*truth.names, name), states, (*truth.parent_indices, parents), cpts, truth.class_index)


#: Every kind of truth, and the laws that it may come from besides "none". A network may come from several:
#: the class above all attributes and a tree among them is one of the graphs of `DAGLaw`, too. "hidden" has no
#: optimum and fits whatever has its attribute.
TRUTHS_AND_LAWS = {
    "naive Bayes": (BAYES, "bayes kdb0 dag"),
    "TAN": (TAN, "tan kdb1 dag"),
    "2-dependence": (random_kdb(k=2, n_attributes=4, random_state=1), "kdb2 dag"),
    "4 parents": (random_kdb(k=3, n_attributes=4, random_state=1), ""),
    "class below": (random_dag_with_class(n_attributes=4, random_state=3), "dag"),
    "no class": (random_dag(random_state=1), ""),
    "mixture": (random_aode(n_attributes=4, random_state=1), "aode"),
    "other mixture": (Mixture([TAN, TAN], [0.5, 0.5]), ""),
    "no class, mixed": (random_aode(n_attributes=4, random_state=1).with_class(None), ""),
    "Gaussian": (random_gaussian_naive_bayes(random_state=1), "gaussian"),
    "Gaussian TAN": (random_gaussian_tan(random_state=1), "gaussian_tan"),
    "Gaussian AODE": (random_gaussian_aode(random_state=1), ""),
    "concept": (random_decision_tree(random_state=1), ""),
    "irrelevant": (add_irrelevant(BAYES, 1, random_state=1), "irrelevant hidden"),
    "irrelevant, as one network": (with_further(BAYES, "z0"), "irrelevant hidden dag"),
    "irrelevant to TAN, as one network": (with_further(TAN, "z0"), "hidden dag"),
    "not irrelevant": (with_further(BAYES, "z0", 4), "bayes kdb0 dag hidden"),
    "hardly irrelevant": (with_further(BAYES, "z0", 0), "dag hidden"),
    "irrelevant to TAN": (add_irrelevant(TAN, 1, random_state=1), "hidden"),
    "two irrelevant": (add_irrelevant(BAYES, 2, random_state=1), "hidden"),
    "copies": (COPIED, "copied"),
    "copies, as one network": (with_further(BAYES, *COPIED.copy_names, *COPIED.copied), "copied dag"),
    "copies that say more": (with_further(BAYES, *COPIED.copy_names, 0, 4), "dag"),
    "noisy labels": (add_label_noise(BAYES, 0.1), ""),
    "irrelevant beside noise": (add_irrelevant(add_label_noise(BAYES, 0.1), 1, random_state=1), "hidden"),
    "holes": (add_missing(BAYES, 0.1, random_state=1), "bayes"),
    "holes in TAN": (add_missing(TAN, 0.1, random_state=1), ""),
    "holes that tell": (add_missing(BAYES, 0.1, mechanism="not_at_random", random_state=1), ""),
    "irrelevant and holes": (
        add_missing(add_irrelevant(BAYES, 1, random_state=1), 0.1, random_state=1),
        "irrelevant hidden",
    ),
    "numbers": (make_numeric(BAYES, random_state=1), ""),
}


@pytest.mark.parametrize("name", TRUTHS_AND_LAWS)
def test_a_truth_comes_from_these_laws_and_no_others(name):
    truth, expected = TRUTHS_AND_LAWS[name]
    found = {key: law.misfit(truth) for key, law in LAWS.items()}
    assert {key for key, why in found.items() if why is None} == {*expected.split(), "none"}
    for key, law in LAWS.items():
        if found[key] is not None:
            with pytest.raises(ValueError, match="does not fit its truth"):
                law.check(truth)


def test_the_kinds_are_those_of_our_documents():
    ours = {kind for kind, truth in KINDS.items() if truth.__module__.startswith("generators.")}
    ours -= {"gaussian_network"}  # without a class, and so without a law
    assert set(TRUTHS) == ours == {truth.kind for truth, _ in TRUTHS_AND_LAWS.values()}


@pytest.mark.parametrize(
    ("truth", "law", "why"),
    [
        (random_aode(random_state=1), TANLaw(), "it is a mixture of networks"),
        (random_gaussian_naive_bayes(random_state=1), NaiveBayesLaw(), "it is a Gaussian naive Bayes truth"),
        (TAN, AODELaw(), "it is a network"),
        (random_dag(random_state=1), DAGLaw(), "it has no class"),
        (with_further(BAYES, "z0", 0), LAWS["irrelevant"], "'z0' depends on 'x0'"),
        (add_irrelevant(BAYES, 2, random_state=1), LAWS["irrelevant"], "attributes, which are z0, z1"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_sentence_says_why(truth, law, why):
    assert why in law.misfit(truth)


def test_truths_that_hold_a_law_are_made_and_read_only_with_one_that_fits():
    mixture, gaussian = random_aode(random_state=1), random_gaussian_naive_bayes(random_state=1)
    with pytest.raises(ValueError, match="it is a mixture"):
        Mixture(mixture.components, mixture.weights, DAGLaw())
    with pytest.raises(ValueError, match="it is a Gaussian"):
        GaussianNaiveBayes(gaussian.prior, gaussian.means, gaussian.deviations, law=TANLaw())
    with pytest.raises(ValueError, match="it is a mixture"):
        from_json(mixture.to_json().replace('"kind": "aode"', '"kind": "tan"'))


def test_truths_of_other_packages_need_not_show_their_structure():
    secret = SimpleNamespace(attribute_names=("z0", *COPIED.copy_names), parents="secret", components=3)
    assert [law.misfit(secret) for law in LAWS.values()] == [None] * len(LAWS)


def test_a_kind_of_network_is_a_network():
    class Wire(Network):
        pass

    made = Wire(TAN.names, TAN.states, TAN.parent_indices, TAN.cpts, TAN.class_index, law=TANLaw())
    assert made.law == TANLaw()
    with pytest.raises(ValueError, match="another parent than the class"):
        Wire(TAN.names, TAN.states, TAN.parent_indices, TAN.cpts, TAN.class_index, law=NaiveBayesLaw())

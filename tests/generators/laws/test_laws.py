"""Truths carry the law that drew them, through documents and alterations, and none that cannot be theirs."""

import json
import pickle
import re
from dataclasses import dataclass, fields

import numpy as np
import pytest

from generators import (
    GENERATORS,
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
    altered,
    draw_with,
    from_json,
    law_of,
    random_aode,
    random_dag_with_class,
    random_decision_tree,
    random_gaussian_naive_bayes,
    random_gaussian_tan,
    random_kdb,
    random_naive_bayes,
    random_tan,
)
from generators.base.checksum import checksum, without_law
from generators.files.documents import KINDS
from generators.laws._shared.law import LAWS, Law
from generators.laws.unknown_law import UnknownLaw

EXAMPLES = [
    NaiveBayesLaw(0.5, (0.25, 0.75)),
    NaiveBayesLaw(class_imbalance=2.0),
    TANLaw(),
    KDBLaw(k=1),
    AODELaw(shared_class_prior=True),
    DAGLaw(max_parents=2, concentration=3.0),
    GaussianNaiveBayesLaw(separation=0.0, spread=0.5),
    GaussianTANLaw(effect=0.0, degrees=4.0, class_imbalance=2.0),
    AddedAttributesLaw(AddedAttributesLaw(TANLaw(), ("a",), copies=True), ("z0", "z1")),
    IntractableLaw("the rows are secret"),
]
#: The document of a law of another package.
FOREIGN = {"kind": "of another package", "decay": 0.5, "law": {"kind": "tan"}, "é": [1, None, {"law": []}]}


@pytest.mark.parametrize(
    ("given", "hint"),
    [("tan", 'not a law: expected {"kind": "tan"}'), (TANLaw, "a class, not a law: give TANLaw")],
)
def test_what_is_nearly_a_law_gets_a_hint(given, hint):
    with pytest.raises(ValueError, match=re.escape(hint)):
        law_of(given)


def test_no_law_may_be_written_as_null():
    truth = random_tan(n_attributes=2, random_state=1)
    document = json.loads(truth.to_json())
    assert from_json(json.dumps({**document, "law": None})).law is None


@pytest.mark.parametrize("text", ["[1]", 3])
def test_an_unknown_law_is_a_document_with_a_kind(text):
    with pytest.raises(ValueError, match="JSON"):
        UnknownLaw(text)


def test_the_examples_are_all_laws():
    assert {type(law) for law in EXAMPLES} == {
        kind for kind in LAWS.values() if kind.__module__.startswith("generators.")
    }


@pytest.mark.parametrize("law", EXAMPLES, ids=lambda law: law.kind)
def test_a_law_is_plain_data_and_comes_back(law):
    assert law_of(law.to_document()) == law == law_of(law) == pickle.loads(pickle.dumps(law))
    assert law.words
    assert hash(law) == hash(law_of(law.to_document()))


@pytest.mark.parametrize("make", GENERATORS.values(), ids=GENERATORS)
def test_every_drawn_truth_carries_its_law(make):
    truth = make(random_state=1)
    assert isinstance(truth.law, Law)
    assert truth.law.misfit(truth) is None
    for copy in (from_json(truth.to_json()), pickle.loads(pickle.dumps(truth))):
        assert copy.law == truth.law


def test_laws_have_the_parameters_of_the_draw():
    assert random_naive_bayes(concentration=0.3, random_state=1).law == NaiveBayesLaw(0.3)
    assert random_kdb(k=3, n_attributes=5, random_state=1).law == KDBLaw(k=3)
    assert random_dag_with_class(max_parents=1, random_state=1).law == DAGLaw(1)
    assert random_aode(shared_class_prior=True, random_state=1).law == AODELaw(shared_class_prior=True)
    skewed = random_tan(n_classes=2, class_imbalance=4, random_state=1)
    assert skewed.law == TANLaw(class_imbalance=4.0)
    np.testing.assert_allclose(skewed.law.known_classes(2), skewed.class_marginal())
    known = random_aode(n_classes=2, class_marginal=(0.1, 0.9), random_state=1)
    assert known.law.class_marginal == (0.1, 0.9)
    gaussian = random_gaussian_naive_bayes(separation=2, spread=0, concentration=3, random_state=1)
    assert gaussian.law == GaussianNaiveBayesLaw(2.0, 0.0, 3.0)
    trees = random_gaussian_tan(separation=2, effect=0, degrees=5, concentration=3, random_state=1)
    assert trees.law == GaussianTANLaw(2.0, 0.0, 5.0, 3.0)


def test_rows_without_a_conjugate_prior_have_no_optimum():
    for make in (random_naive_bayes, random_tan, random_kdb, random_dag_with_class, random_aode):
        assert "normalized_uniform" in make(rows="normalized_uniform", random_state=1).law.obstacle


def test_the_law_changes_neither_checksum_nor_equality():
    truth = random_tan(n_attributes=3, random_state=1)
    bare = Network(truth.names, truth.states, truth.parent_indices, truth.cpts, truth.class_index)
    assert bare.law is None
    assert bare == truth
    assert checksum(bare) == checksum(truth)
    assert "law" not in bare.to_document()


def test_documents_without_laws_keep_everything_else():
    tan = random_tan(n_attributes=3, random_state=1)
    bare = Network(tan.names, tan.states, tan.parent_indices, tan.cpts, tan.class_index)
    for with_law, without in (
        (Mixture([tan, tan], [0.5, 0.5]), Mixture([bare, bare], [0.5, 0.5])),
        (add_label_noise(tan, 0.1), add_label_noise(bare, 0.1)),
    ):
        assert '"law": {"kind": "tan"' in with_law.to_json()
        assert without_law(with_law.to_document()) == without.to_document()
    other = {"format": "generators", "law": {"kind": "tan"}, "rules": [{"law": 3}], "by": {"law": "Ohm's"}}
    assert without_law(other) == {"format": "generators", "rules": [{"law": 3}], "by": {"law": "Ohm's"}}


def test_another_class_has_no_law():
    truth = random_tan(n_attributes=3, random_state=1)
    assert truth.with_class("y").law == TANLaw()
    assert truth.with_class("x0").law is None
    assert truth.with_class(None).law is None
    mixture = random_aode(n_attributes=3, random_state=1)
    assert mixture.with_class("x0").law is None
    assert mixture.with_class("y").law == AODELaw()


class TestAlterations:
    def test_added_attributes_are_named(self):
        truth = altered(random_tan(n_attributes=3, random_state=0), redundant=1, irrelevant=2, random_state=1)
        copies, further = ("x2_copy",), ("z0", "z1")
        assert truth.law == AddedAttributesLaw(AddedAttributesLaw(TANLaw(), copies, copies=True), further)
        assert truth.law.obstacle is None
        assert from_json(truth.to_json()).law == truth.law

    def test_noise_and_numbers_hide_what_the_optimum_needs(self):
        tan = random_tan(n_attributes=3, random_state=0)
        assert "labels are noisy" in altered(tan, label_noise=0.1).law.obstacle
        assert "cuts" in altered(tan, numeric="all", random_state=1).law.obstacle

    def test_holes_leave_an_optimum_to_naive_bayes_alone(self):
        bayes, tan = random_naive_bayes(random_state=0), random_tan(random_state=0)
        assert altered(bayes, missing=0.1, random_state=1).law == NaiveBayesLaw()
        assert "a uniform rooted tree" in altered(tan, missing=0.1, random_state=1).law.obstacle
        both = altered(bayes, irrelevant=1, missing=0.1, random_state=1)
        assert both.law == AddedAttributesLaw(NaiveBayesLaw(), ("z0",))
        # a copy is informative where the original is missing
        assert altered(bayes, redundant=1, missing=0.1, random_state=1).law.obstacle is not None
        for mechanism in ("at_random", "not_at_random"):
            holed = altered(bayes, missing=0.1, mechanism=mechanism, random_state=1)
            assert "depends on values" in holed.law.obstacle

    def test_a_truth_without_a_law_stays_without(self):
        truth = random_decision_tree(random_state=1)
        assert altered(truth, irrelevant=1, random_state=1).law.obstacle == truth.law.obstacle
        bare = random_naive_bayes(random_state=1).with_class("x0")
        assert altered(bare, irrelevant=1, random_state=1).law is None

    def test_selected_truths_have_another_law(self):
        drawn = draw_with(random_tan, bayes_error=(0.0, 0.9), n_attributes=3, random_state=1).truth
        assert "bayes_error from 0 to 0.9" in drawn.law.obstacle
        assert draw_with(random_tan, n_attributes=3, random_state=1).truth.law == TANLaw()
        wrapped = draw_with(
            lambda random_state: altered(random_tan(random_state=random_state), irrelevant=1, random_state=1),
            class_entropy=(0.0, 9.0),
            random_state=1,
        ).truth
        assert "class_entropy" in wrapped.law.obstacle

    def test_selected_truths_of_another_package(self):
        class Secret(type(random_decision_tree(random_state=1))):
            kind = "secret_for_a_test"
            law = NaiveBayesLaw()

        concept = random_decision_tree(n_classes=2, random_state=1)
        secret = Secret(concept.attribute_network, concept.rules, concept.leaves)
        try:
            with pytest.raises(ValueError, match="Secret has a law that selection changes"):
                draw_with(lambda random_state: secret, class_entropy=(0.0, 1.1), random_state=1)
        finally:
            del KINDS["secret_for_a_test"]


class TestMisfits:
    """A law that cannot draw its truth is refused in a sentence."""

    @pytest.mark.parametrize(
        ("truth", "law", "why"),
        [
            (random_tan(n_attributes=3, random_state=1), NaiveBayesLaw(), "another parent than the class"),
            (random_naive_bayes(n_attributes=3, random_state=1), TANLaw(), "3 attributes have no attribute"),
            (random_kdb(n_attributes=4, k=2, random_state=1), TANLaw(), "several attribute parents"),
            (random_tan(n_attributes=4, random_state=1), KDBLaw(k=2), "in no order"),
            (
                random_tan(n_attributes=3, n_classes=2, random_state=1),
                TANLaw(1, (0.5, 0.5)),
                "class distribution differs",
            ),
            (
                random_tan(n_attributes=3, n_classes=3, random_state=1),
                TANLaw(1, (0.5, 0.5)),
                "2 probabilities",
            ),
            (random_kdb(n_attributes=4, k=3, random_state=1), DAGLaw(2), "a node has 4 parents"),
            (random_tan(n_attributes=3, random_state=1), AODELaw(), "it is a network"),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_networks(self, truth, law, why):
        with pytest.raises(ValueError, match="does not fit its truth") as caught:
            Network(truth.names, truth.states, truth.parent_indices, truth.cpts, truth.class_index, law)
        assert why in str(caught.value)

    def test_mixtures(self):
        truth = random_aode(n_attributes=3, random_state=1)
        for law, weights, why in (
            (AODELaw(), [0.5, 0.25, 0.25], "equal weight"),
            (AODELaw(shared_class_prior=True), truth.weights, "different class distributions"),
        ):
            with pytest.raises(ValueError, match=why):
                Mixture(truth.components, weights, law)
        with pytest.raises(ValueError, match="in its component"):
            Mixture(truth.components[::-1], truth.weights, AODELaw())

    def test_gaussians(self):
        parts = {"prior": [0.5, 0.5], "means": [[-1.0, 1.0]], "deviations": [[1.0, 2.0]]}
        assert GaussianNaiveBayes(**parts, law=GaussianNaiveBayesLaw()).law == GaussianNaiveBayesLaw()
        for law, why in (
            (GaussianNaiveBayesLaw(separation=0), "separation is 0"),
            (GaussianNaiveBayesLaw(spread=0), "spread is 0"),
            (GaussianNaiveBayesLaw(class_marginal=(0.4, 0.6)), "class distribution differs"),
        ):
            with pytest.raises(ValueError, match=why):
                GaussianNaiveBayes(**parts, law=law)

    def test_something_else_is_no_law(self):
        truth = random_tan(n_attributes=3, random_state=1)
        with pytest.raises(ValueError, match="expected a law such as"):
            Network(truth.names, truth.states, truth.parent_indices, truth.cpts, truth.class_index, "tan")

    @pytest.mark.parametrize("k", [0, 1, 2, 5])
    def test_every_k_dependence_truth_fits(self, k):
        for seed in range(10):
            truth = random_kdb(k=k, n_attributes=(1, 6), random_state=seed)
            assert KDBLaw(k=k).misfit(truth) is None
            smaller = k < len(truth.attributes) - 1
            assert (KDBLaw(k=k + 1).misfit(truth) is None) is not smaller


class TestBadDocuments:
    @pytest.mark.parametrize(
        ("document", "why"),
        [
            ({"kind": "tam"}, "did you mean 'tan'"),
            ("tan", "'tan' is the kind of a law"),
            ({"kind": "tan", "concentration": 0}, "from 1e-6 to 1e6"),
            ({"kind": "kdb", "k": -1}, "whole number"),
            ({"kind": "gaussian_naive_bayes", "spread": -1}, "0 or more"),
            ({"kind": "tan", "class_marginal": [10**400, 0.5]}, "cannot be made"),
            (random_tan(n_attributes=3, random_state=1), "is a truth, not a law: .* truth.law"),
        ],
    )
    def test_a_sentence_says_what_is_wrong(self, document, why):
        with pytest.raises(ValueError, match=why):
            law_of(document)

    def test_json_with_a_bad_law(self):
        text = random_tan(n_attributes=2, random_state=1).to_json()
        text = text.replace('"kind": "tan"', '"kind": "tan", "concentration": -1')
        with pytest.raises(ValueError, match="the JSON has a law that cannot be read"):
            from_json(text)


class TestUnknownLaws:
    """A law of a package that is not imported survives reading and writing, and has no optimum."""

    @pytest.mark.parametrize(
        "document",
        [
            FOREIGN,
            {"kind": "added_attributes", "law": FOREIGN, "added": ["x0"]},
        ],
        ids=["outside", "inside"],
    )
    def test_documents_come_back(self, document):
        truth = random_tan(n_attributes=2, random_state=1).to_document()
        text = json.dumps({**truth, "law": document}, ensure_ascii=False)
        found = from_json(text)
        assert found.to_json() == text
        assert found.law.to_document() == document
        assert found.law.kind == document["kind"]
        assert "which is not known here" in found.law.obstacle
        assert pickle.loads(pickle.dumps(found)).law == found.law
        noted = from_json(add_irrelevant(found, 1, random_state=1).to_json())
        assert noted.law.obstacle == found.law.obstacle

    def test_a_law_that_json_cannot_hold(self):
        text = random_tan(n_attributes=2, random_state=1).to_json()
        bad = text.replace('"kind": "tan"', '"kind": "of another package", "decay": NaN')
        with pytest.raises(ValueError, match="the JSON has a law that cannot be read"):
            from_json(bad)


class TestNesting:
    @staticmethod
    def nested(depth):
        document = {"kind": "tan"}
        for _ in range(depth):
            document = {"kind": "added_attributes", "law": document, "added": ["x0"]}
        return document

    def test_laws_are_nested_so_deep(self):
        law = law_of(self.nested(99))
        assert law_of(law.to_document()) == law
        assert hash(law) == hash(law_of(self.nested(99)))
        with pytest.raises(ValueError, match="nested 100 deep"):
            AddedAttributesLaw(law, ("x1",))

    @pytest.mark.parametrize("depth", [100, 3000])
    def test_deeper_documents_are_refused(self, depth):
        with pytest.raises(ValueError, match="nested 100 deep"):
            law_of(self.nested(depth))
        document = {**random_tan(n_attributes=2, random_state=1).to_document(), "law": self.nested(depth)}
        with pytest.raises(ValueError, match="nested"):
            Network.from_document(document)

    def test_a_document_within_itself_is_refused(self):
        document = {"kind": "added_attributes", "added": []}
        document["law"] = document
        with pytest.raises(ValueError, match="nested 100 deep"):
            law_of(document)


def test_another_package_can_state_a_law_of_its_own():
    @dataclass(frozen=True)
    class RankLaw(Law):
        kind = "rank_for_a_test"
        decay: float = 0.5

        @property
        def words(self):
            return "ranks"

    try:
        assert law_of({"kind": "rank_for_a_test", "decay": 0.1}) == RankLaw(0.1)
        assert [part.name for part in fields(RankLaw)] == ["decay"]
        with pytest.raises(TypeError, match="have the same kind"):
            type("Other", (Law,), {"kind": "rank_for_a_test"})
    finally:
        del LAWS["rank_for_a_test"]

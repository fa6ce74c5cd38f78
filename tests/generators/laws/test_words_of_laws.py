"""The words of a law are those of no other law."""

from dataclasses import dataclass
from functools import partial
from itertools import product

import pytest

from generators import (
    AddedAttributesLaw,
    AODELaw,
    DAGLaw,
    GaussianNaiveBayesLaw,
    GaussianTANLaw,
    IntractableLaw,
    KDBLaw,
    NaiveBayesLaw,
    TANLaw,
    law_of,
)
from generators.laws._shared.law import LAWS, escaped

CONCENTRATIONS = [1.0, 0.3, 0.1 + 0.2, 1e6, 999999.9]
CLASSES = [
    *({"class_imbalance": skew} for skew in (None, 1.0, 2.0, 2.0000001, 1e20)),
    *({"class_marginal": one} for one in ((0.5, 0.5), (0.5000001, 0.4999999), (0.2, 0.8), (0.2, 0.3, 0.5))),
]
STRUCTURES = [
    NaiveBayesLaw,
    TANLaw,
    *(partial(KDBLaw, k=k) for k in range(3)),
    *(partial(AODELaw, shared_class_prior=shared) for shared in (False, True)),
    *(partial(GaussianNaiveBayesLaw, separation, 0.25) for separation in (0.0, 0.25, 0.2500001)),
    partial(GaussianNaiveBayesLaw, 0.25, 1.0),
    *(partial(GaussianTANLaw, *numbers) for numbers in ((1, 1, 10), (0, 1, 10), (1, 0, 10), (1, 1, 10.1))),
]
NAMES = ["z0", "z1", "z2", "z0 to z2", "z0, z1", '"z0"', "\n", "\\n", ""]


def every_law():
    """Return laws that differ in one value from another."""
    for concentration in CONCENTRATIONS:
        yield from (DAGLaw(most, concentration) for most in range(3))
        for make, classes in product(STRUCTURES, CLASSES):
            yield make(concentration=concentration, **classes)
    for reason in ("a", "a\n", "a\\n", "a, copies", NaiveBayesLaw().words):
        yield IntractableLaw(reason)


def test_other_values_are_in_the_words():
    simple = list(every_law())
    added = [
        AddedAttributesLaw(law, names, copies)
        for law in simple[::11]
        for names in (["z0"], ["z1"], ["z0", "z1"])
        for copies in (False, True)
    ]
    nested = [AddedAttributesLaw(law, ["z1"]) for law in added[::3]]
    laws = [*simple, *added, *nested]
    assert len(set(laws)) == len(laws) == len({law.words for law in laws})


def test_other_names_are_in_the_words():
    lists = [names for n in range(4) for names in product(NAMES, repeat=n)]
    words = {AddedAttributesLaw(IntractableLaw("a"), names).words for names in lists}
    assert len(words) == len(lists)
    assert all(map(str.isprintable, words))


def test_other_reasons_are_in_the_words():
    laws = [
        IntractableLaw(f"as {''.join(text)}") for n in range(5) for text in product("\\nx\n\x0a1", repeat=n)
    ]
    laws = list(dict.fromkeys(laws))
    assert len({law.words for law in laws}) == len({law.obstacle for law in laws}) == len(laws)
    assert all(law.words.isprintable() for law in laws)


@pytest.mark.parametrize(
    ("law", "words"),
    [
        (NaiveBayesLaw(1, (0.25, 0.75)), "naive Bayes, Dirichlet(1) rows, class marginal [0.25, 0.75]"),
        (
            AODELaw(shared_class_prior=True),
            "a mixture of one-dependence networks, Dirichlet(1) rows, shared class prior true",
        ),
        (
            IntractableLaw("rows\x1b[31m are\nsecret"),
            r"no law with a computable optimum: rows\x1b[31m are\nsecret",
        ),
        (
            AddedAttributesLaw(
                AddedAttributesLaw(TANLaw(), ["x2_copy"], copies=True),
                [*(f"z{i}" for i in range(200)), "a b"],
            ),
            'irrelevant attributes z0 to z199, "a b" added to copies x2_copy added to a uniform rooted tree, '
            "Dirichlet(1) rows",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_words(law, words):
    assert law.words == words


def test_a_reason_is_shown_without_control_characters():
    law = IntractableLaw("\x1b[31mred\u202e\ud800")
    assert law.obstacle == r"\x1b[31mred\u202e\ud800"
    assert law_of(law.to_document()) == law
    assert escaped("é, 率") == "é, 率"


class TestLawsOfOthers:
    """A law made from one of ours has its own kind and words, and its documents come back."""

    @pytest.fixture
    def forest(self):
        @dataclass(frozen=True)
        class ForestLaw(TANLaw):
            kind = "forest_for_a_test"
            n_trees: int = 2
            note: str = ""

        yield ForestLaw
        del LAWS["forest_for_a_test"]

    def test_it_is_told_from_ours(self, forest):
        assert forest().words == "forest_for_a_test"
        law = forest(0.5, class_imbalance=3, n_trees=4, note="a, b")
        assert law.words == 'forest_for_a_test, concentration 0.5, class imbalance 3, n trees 4, note "a, b"'
        assert law_of(law.to_document()) == law
        assert forest() != TANLaw()

    def test_it_needs_a_kind(self):
        with pytest.raises(TypeError, match=r"MyTAN has no kind, .* 'tan'"):
            type("MyTAN", (TANLaw,), {})

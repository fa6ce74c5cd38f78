"""What a notebook shows: complete, escaped, in the colors of the page, and of bounded size."""

from html.parser import HTMLParser

import matplotlib.pyplot as plt
import numpy as np
import pytest

from generators import Network, random_aode, random_dag, random_naive_bayes, random_tan

VOID = {"br", "img", "use", "path", "rect"}


class Tags(HTMLParser):
    """Checks that tags are closed in order, and collects tags, attributes and text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes, self.text = [], [], [], ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


NASTY = Network(
    ("<script>alert(1)</script>", 'a "b" & c', "y"),
    (("<b>", ">5"), ("&amp;", "x'y"), (True, False)),
    ((2,), (2, 0), ()),
    (np.full((2, 2), 0.5), np.full((2, 2, 2), 0.5), [0.25, 0.75]),
    class_index=2,
)


def test_names_and_states_are_escaped():
    page = NASTY._repr_html_()
    tags = Tags(page)
    assert "script" not in tags.tags
    for word in (*NASTY.names, *(str(state) for states in NASTY.states for state in states)):
        assert word in tags.text
    assert 'P(a "b" & c | y, <script>alert(1)</script>), 4 rows' in tags.text


def test_a_network_has_a_picture_and_its_probabilities_on_demand():
    truth = random_tan(n_attributes=4, arity=2, n_classes=2, random_state=0)
    tags = Tags(truth._repr_html_())
    assert tags.text.startswith(repr(truth))
    assert tags.tags.count("svg") == 1
    assert tags.tags.count("details") == 1 + truth.n_variables
    assert ("open", None) not in tags.attributes
    for values in truth.cpts:
        for value in values.ravel():
            assert f"{value:.3f}" in tags.text


def test_a_repr_draws_nothing_and_html_leaves_no_figure_open():
    truth = random_tan(n_attributes=4, random_state=0)
    before = plt.get_fignums()
    assert truth._repr_html_() == truth._repr_html_()
    assert plt.get_fignums() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "truth",
    [
        random_dag(n_nodes=40, max_parents=2, random_state=1),
        random_tan(n_attributes=39, random_state=1),
        random_naive_bayes(n_attributes=400, arity=4, random_state=1),
        random_dag(n_nodes=300, max_parents=4, arity=4, random_state=1),
        random_aode(n_attributes=20, arity=2, random_state=1),
    ],
    ids=range(5),
)
def test_a_large_truth_takes_less_than_half_a_megabyte(truth):
    page = truth._repr_html_()
    assert len(page) < 500_000
    Tags(page)


def test_a_mixture_shows_its_heaviest_components_and_lists_all():
    truth = random_aode(n_attributes=5, arity=2, n_classes=2, random_state=0)
    tags = Tags(truth._repr_html_())
    assert tags.text.startswith(repr(truth))
    assert tags.tags.count("svg") == 4
    assert "1 of 5 components are not drawn." in tags.text
    for leader in range(5):
        assert f"x{leader} leads, weight 0.2" in tags.text


def test_small_probabilities_are_not_shown_as_0():
    tags = Tags(Network(("a",), (("n", "y"),), ((),), ([1 - 1e-6, 1e-6],))._repr_html_())
    assert "1e-06" in tags.text

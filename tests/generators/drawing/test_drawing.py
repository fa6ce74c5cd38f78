"""Drawings: all is there, nothing is covered, whatever the network."""

import functools
import re
from itertools import combinations

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.patches import Ellipse, FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path

from generators import Mixture, Network, random_aode, random_dag, random_naive_bayes, random_tan
from generators.drawing.layout import layered_layout
from generators.drawing.lettering import node_labels, text_width

LONG = (
    "sepal length (cm)",
    "a_very_long_name_with_joints",
    "Pneumonoultramicroscopicsilicovolcanoconiosis",
    "",
    "$x$",
)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def renamed(network, names):
    names = (*names, *network.names)[: network.n_variables]
    return Network(names, network.states, network.parent_indices, network.cpts, network.class_index)


@pytest.fixture(
    scope="module",
    params=[
        "one",
        "naive_bayes",
        "deep",
        "long",
        "class_below",
        pytest.param("many", marks=pytest.mark.slow),
    ],
)
def network(request, random_network):
    return {
        "one": lambda: random_network(0, 1).with_class(None),
        "naive_bayes": lambda: random_naive_bayes(n_attributes=7, random_state=0),
        "deep": lambda: random_tan(n_attributes=20, random_state=1),
        "long": lambda: renamed(random_tan(n_attributes=6, random_state=2), LONG),
        "class_below": lambda: random_network(3, 8).with_class("v3"),
        "many": lambda: random_network(5, 37).with_class(None),
    }[request.param]()


@pytest.fixture(scope="module")
def ax(network):
    """Draw each network once for all who look at it."""
    return network.plot()


def boxes(ax):
    """Return the window extents of the nodes, in their order; the path of a box gives it, not its line."""
    nodes = [patch for patch in ax.patches if isinstance(patch, Ellipse | FancyBboxPatch)]
    return [patch.get_transform().transform_path(patch.get_path()).get_extents() for patch in nodes]


def arcs(ax):
    """Return points on each arc, in window coordinates, of shape (n_points, 2)."""
    lines = []
    for patch in ax.patches:
        if isinstance(patch, FancyArrowPatch):
            vertices = ax.transData.transform(patch._path_original.vertices)
            lines.append(np.vstack([points(vertices[i : i + 4]) for i in range(0, len(vertices) - 1, 3)]))
    return lines


def points(control):
    t = np.linspace(0, 1, 60)[:, np.newaxis]
    a, b, c, d = control
    return (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d


def distance(box, point):
    return max(box.x0 - point[0], point[0] - box.x1, box.y0 - point[1], point[1] - box.y1)


def squeezed(text):
    return "".join(text.split())


def test_every_name_and_number_of_states_is_drawn(network, ax):
    texts = [text.get_text() for text in ax.texts]
    assert [squeezed(text) for text in texts[::2]] == [squeezed(name) for name in network.names]
    assert texts[1::2] == [f"{arity} state{'' if arity == 1 else 's'}" for arity in network.arities]


def test_a_long_word_is_shrunk_before_its_node_is_widened():
    words = ["short", "intermediate", "counterrevolutionaries"]
    network = Network(words, [(0, 1)] * 3, [()] * 3, [[0.5, 0.5]] * 3)
    labels = node_labels(network)
    sizes = [label.name_size for label in labels]
    assert sizes[0] == 10.5
    assert 0.75 * 10.5 <= sizes[2] < sizes[0]
    assert sizes == sorted(sizes, reverse=True)
    assert all(text_width(label.name, label.name_size) <= label.size[0] for label in labels)


def test_every_arc_is_drawn_once_from_its_parent_down_to_its_child(network, ax):
    drawn, nodes = [], boxes(ax)
    for line in arcs(ax):
        near = [[index for index, box in enumerate(nodes) if distance(box, end) < 8] for end in line[[0, -1]]]
        assert [len(found) for found in near] == [1, 1]
        drawn.append((near[0][0], near[1][0]))
        assert (np.diff(line[:, 1]) < 1e-6).all()
    expected = [(parent, child) for child, parents in enumerate(network.parent_indices) for parent in parents]
    assert sorted(drawn) == sorted(expected)
    # and ends at an edge
    for (parent, child), line in zip(drawn, arcs(ax), strict=True):
        assert line[-1, 1] <= nodes[child].y1 + 1e-6
        assert line[0, 1] >= nodes[parent].y0 - 1e-6


def test_no_arc_runs_through_another_node(ax):
    nodes = boxes(ax)
    for line in arcs(ax):
        for box in nodes:
            inside = (line > box.min + 0.5).all(axis=1) & (line < box.max - 0.5).all(axis=1)
            # an ellipse is left and met inside its box
            inside[:60] &= distance(box, line[0]) > 0.5
            inside[-60:] &= distance(box, line[-1]) > 0.5
            assert not inside.any()


def test_nodes_do_not_overlap(ax):
    for one, other in combinations(boxes(ax), 2):
        assert not one.overlaps(other)


def test_the_letters_are_inside_their_nodes_and_the_nodes_inside_the_axes(ax):
    renderer = FigureCanvasAgg(ax.figure).get_renderer()
    frame = ax.get_window_extent(renderer)
    for index, box in enumerate(boxes(ax)):
        assert frame.x0 < box.x0
        assert box.x1 < frame.x1
        assert frame.y0 < box.y0
        assert box.y1 < frame.y1
        name, states = (text.get_window_extent(renderer) for text in ax.texts[2 * index : 2 * index + 2])
        for extent in (name, states):
            assert box.x0 <= extent.x0
            assert extent.x1 <= box.x1
            assert box.y0 <= extent.y0
            assert extent.y1 <= box.y1
        assert states.y1 <= name.y0 + 0.02 * ax.figure.dpi or not ax.texts[2 * index].get_text()
    for line in arcs(ax):
        assert (line > frame.min).all()
        assert (line < frame.max).all()


@pytest.mark.slow
@settings(max_examples=40)
@given(seed=st.integers(0, 10_000), n_variables=st.integers(1, 14), max_parents=st.integers(0, 4))
def test_curves_keep_out_of_the_nodes_of_any_network(random_network, seed, n_variables, max_parents):
    network = random_network(seed, n_variables, max_parents)
    sizes = np.random.default_rng(seed).uniform(0.4, 1.6, (n_variables, 2))
    layout = layered_layout(network.parent_indices, sizes, network.class_index)
    assert (layout.sizes >= sizes).all()
    for (parent, child), curve in layout.curves.items():
        line = np.vstack([points(curve[i : i + 4]) for i in range(0, len(curve) - 1, 3)])
        for node in set(range(n_variables)) - {parent, child}:
            assert not (np.abs(line - layout.centers[node]) < layout.sizes[node] / 2).all(axis=1).any()
        assert layout.centers[parent, 1] > layout.centers[child, 1]


def test_the_class_is_on_top_and_distinguished_by_shape_and_fill():
    ax = random_tan(n_attributes=7, random_state=1).plot()
    (oval,) = [patch for patch in ax.patches if isinstance(patch, Ellipse)]
    others = [patch for patch in ax.patches if isinstance(patch, FancyBboxPatch)]
    assert len(others) == 7
    assert boxes(ax)[-1].y0 > max(box.y1 for box in boxes(ax)[:-1])
    assert oval.get_facecolor() not in [patch.get_facecolor() for patch in others]
    assert all(patch.get_facecolor()[-1] == 0 for patch in others)


@pytest.mark.parametrize("layout", [None, "constrained"])
def test_axes_that_are_given_are_filled_and_returned(layout):
    network = random_tan(n_attributes=4, random_state=1)
    figure, (left, right) = plt.subplots(1, 2, figsize=(5, 2), layout=layout)
    assert network.plot(left) is left
    assert network.plot(ax=right) is right
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    for ax in (left, right):
        frame = ax.get_window_extent()
        for index, box in enumerate(boxes(ax)):
            assert frame.x0 <= box.x0
            assert box.x1 <= frame.x1
            assert ax.texts[2 * index].get_window_extent(renderer).width <= box.width
    assert len(plt.get_fignums()) == 1


def test_a_mixture_has_a_panel_for_each_component_with_its_weight_and_leader():
    truth = random_aode(n_attributes=5, random_state=1)
    axes = truth.plot()
    assert [ax.get_title() for ax in axes] == [f"x{index} leads\nweight 0.2" for index in range(5)]
    for ax, component in zip(axes, truth.components, strict=True):
        assert len(arcs(ax)) == sum(map(len, component.parent_indices))
        assert len(ax.texts) == 12
    # titles, panels and figure do not meet
    renderer = axes[0].figure.canvas.get_renderer()
    extents = [ax.get_tightbbox(renderer) for ax in axes]
    assert not any(one.overlaps(other) for one, other in combinations(extents, 2))
    frame = axes[0].figure.bbox
    assert all(
        frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1
        for box in extents
    )


def test_of_many_components_the_heaviest_are_drawn():
    parts = [random_tan(n_attributes=3, arity=2, n_classes=2, random_state=seed) for seed in range(10)]
    truth = Mixture(parts, np.arange(1, 11) / 55)
    axes = truth.plot()
    assert [ax.get_title().split("\n")[1] for ax in axes] == [f"weight {k / 55:.3g}" for k in range(3, 11)]
    assert "8 of 10, with the largest weights" in [text.get_text() for text in axes[0].figure.texts]
    figure, given = plt.subplots(1, 2)
    assert list(truth.plot(given)) == list(given)
    assert [ax.get_title().split("\n")[1] for ax in given] == ["weight 0.164", "weight 0.182"]
    assert len(figure.axes) == 2


def test_a_figure_is_saved_as_svg_and_png(tmp_path):
    ax = random_tan(n_attributes=3, random_state=1).plot()
    for kind in ("svg", "png", "pdf"):
        ax.figure.savefig(tmp_path / f"tan.{kind}")
        assert (tmp_path / f"tan.{kind}").stat().st_size > 1000
    assert isinstance(ax.patches[0].get_path(), Path)


def test_posteriors_of_arcs_are_written_next_to_them_and_hide_nothing():
    truth = random_dag(n_nodes=7, max_parents=2, random_state=4)
    posteriors = np.random.default_rng(0).random((7, 7))
    ax = truth.plot(arc_posteriors=posteriors)
    arcs = [(u, v) for v, others in enumerate(truth.parent_indices) for u in others]
    assert sorted(text.get_text() for text in numbers(ax)) == sorted(
        f"{posteriors[u, v]:.2f}\n({posteriors[v, u]:.2f})" for u, v in arcs
    )
    heads = {arrow.get_linewidth() < 1.2 for arrow in ax.patches if isinstance(arrow, FancyArrowPatch)}
    assert heads == {True, False}  # thin below 1/2


def test_posteriors_of_another_size_are_refused():
    with pytest.raises(ValueError, match="3 variables"):
        random_dag(n_nodes=3, random_state=0).plot(arc_posteriors=np.ones((2, 2)))


def numbers(ax):
    """Return the texts on arcs."""
    return [text for text in ax.texts if re.fullmatch(r"\d\.\d\d\n\(\d\.\d\d\)", text.get_text())]


def note(ax):
    return [text.get_text() for text in ax.texts if "posterior" in text.get_text()]


@functools.cache
def drawn_with_numbers(n_nodes, seed, share_sure):
    """Return a random network's axes, and its arcs; some posteriors are sure."""
    truth = random_dag(n_nodes=n_nodes, max_parents=2 + seed % 3, random_state=seed)
    rng = np.random.default_rng(seed)
    posteriors = np.where(rng.random((n_nodes, n_nodes)) < share_sure, 1.0, rng.random((n_nodes, n_nodes)))
    ax = truth.plot(arc_posteriors=posteriors, posterior_source="exact")
    ax.figure.draw_without_rendering()
    return ax


@pytest.mark.slow
@pytest.mark.parametrize(("n_nodes", "seed", "share_sure"), [(7, 4, 0.0), (15, 1, 0.5)])
def test_numbers_are_inside_the_figure_and_lie_on_no_node_and_no_other_number(n_nodes, seed, share_sure):
    ax = drawn_with_numbers(n_nodes, seed, share_sure)
    frame = ax.figure.bbox
    extents = [text.get_window_extent() for text in ax.texts]
    assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 for box in extents)
    assert all(frame.y0 <= box.y0 and box.y1 <= frame.y1 for box in extents)
    written = [text.get_window_extent() for text in numbers(ax)]
    assert len(written) >= 2
    assert not any(one.overlaps(other) for one, other in combinations(written, 2))
    assert not any(number.overlaps(node) for number in written for node in boxes(ax))


@pytest.mark.slow
def test_each_number_is_upon_an_arc_of_its_own_and_hides_no_other():
    ax = drawn_with_numbers(15, 1, 0.5)
    lines = arcs(ax)
    owners = []
    for text in numbers(ax):
        box = text.get_window_extent()
        met = [
            index
            for index, line in enumerate(lines)
            if ((line > box.min) & (line < box.max)).all(axis=1).any()
        ]
        assert len(met) == 1
        owners += met
        # on a ground that hides the arc, below the letters and above the arcs
        assert text.get_bbox_patch().get_facecolor() == ax.figure.get_facecolor()
        assert text.get_zorder() > max(patch.get_zorder() for patch in ax.patches)
    assert len(set(owners)) == len(owners)


def test_what_is_nearly_sure_has_no_number_and_the_note_says_so():
    truth = random_dag(n_nodes=7, max_parents=2, random_state=4)
    mixed = np.full((7, 7), 0.99)
    first = next((u, v) for v, others in enumerate(truth.parent_indices) for u in others)
    mixed[first] = 0.984
    ax = truth.plot(arc_posteriors=mixed, posterior_source="exact")
    assert [text.get_text() for text in numbers(ax)] == ["0.98\n(0.99)"]
    assert "0.99 or more" in note(ax)[0]
    assert "exact" in note(ax)[0]
    assert note(truth.plot()) == []


def test_what_is_no_probability_is_refused():
    with pytest.raises(ValueError, match=r"arc_posteriors|0 to 1"):
        random_dag(n_nodes=3, random_state=0).plot(arc_posteriors=np.full((3, 3), 1.5))


# -- the equivalence class, and the average over networks ------------------------------------------


def drawn_arcs(ax):
    """Return each arc by its upper and lower node, with the patch; and the nodes' boxes."""
    nodes, patches = boxes(ax), [patch for patch in ax.patches if isinstance(patch, FancyArrowPatch)]
    found = {}
    for patch, line in zip(patches, arcs(ax), strict=True):
        ends = [[i for i, box in enumerate(nodes) if distance(box, end) < 8] for end in line[[0, -1]]]
        found[ends[0][0], ends[1][0]] = patch
    return found


def style(patch):
    return type(
        patch.get_arrowstyle()
    ).__name__, patch.get_linestyle() == "solid" or patch.get_linestyle() == "-"


HEAD_DOWN, HEAD_UP, DASHED = ("CurveFilledB", True), ("CurveFilledA", True), ("Curve", False)


@settings(max_examples=5)
@given(seed=st.integers(0, 1000))
def test_of_the_equivalence_class_only_compelled_arcs_have_heads(seed):
    truth = random_dag(n_nodes=6, arity=2, max_parents=2, random_state=seed)
    pattern, ax = truth.pattern(), truth.plot(kind="pattern")
    found = {(truth.names[u], truth.names[v]): style(patch) for (u, v), patch in drawn_arcs(ax).items()}
    assert set(found) == set(truth.arcs)
    assert {arc for arc, how in found.items() if how == HEAD_DOWN} == pattern.directed
    dashed = {arc for arc, how in found.items() if how == DASHED}
    assert {frozenset(arc) for arc in dashed} == {frozenset(pair) for pair in pattern.undirected}
    plt.close("all")


def chain_of_three():
    fair, copied = [0.5, 0.5], np.full((2, 2), 0.5)
    return Network(tuple("abcd"), ((0, 1),) * 4, ((), (0,), (1,), ()), [fair, copied, copied, fair])


def posteriors_of(**shares):
    table = pd.DataFrame(0.0, list("abcd"), list("abcd"))
    for (u, v), share in shares.items():
        table.loc[u, v] = share
    return table


def collider_of_three():
    """Return a network of a -> c <- b and c -> d, whose directions are those of all equivalent networks."""
    fair, copied = [0.5, 0.5], np.full((2, 2), 0.5)
    return Network(
        tuple("abcd"), ((0, 1),) * 4, ((), (), (0, 1), (2,)), [fair, fair, np.full((2, 2, 2), 0.5), copied]
    )


def test_the_average_draws_no_arc_against_its_posterior():
    # the reverse of a -> c is much more probable; b - c may point either way; a -> d is not in the network
    posteriors = posteriors_of(ac=0.09, ca=0.89, bc=0.5, cb=0.45, cd=0.4, bd=0.12, ad=0.3)
    ax = collider_of_three().plot(kind="average", arc_posteriors=posteriors, posterior_source="exact")
    found = {arc: style(patch) for arc, patch in drawn_arcs(ax).items()}
    assert {frozenset(arc) for arc in found} == {frozenset(pair) for pair in [(0, 2), (1, 2), (2, 3), (0, 3)]}
    assert {arc for arc, how in found.items() if how != DASHED} == {(2, 3)}
    assert found[2, 3] == HEAD_DOWN
    texts = [text.get_text() for text in ax.texts]
    assert {"0.98", "0.95", "0.40", "0.30"} <= set(texts)
    for fact in ("9 to 1", "below 0.2", "exact"):
        assert fact in texts[-1]


def test_the_average_directs_nothing_that_equivalent_networks_leave_open():
    posteriors = posteriors_of(ab=1.0, bc=1.0, ad=0.4)
    drawn = drawn_arcs(chain_of_three().plot(kind="average", arc_posteriors=posteriors))
    assert [style(patch) for patch in drawn.values()] == [DASHED] * 3
    # what prior knowledge excludes directs pairs, those outside of the network too
    known = chain_of_three().plot(kind="average", arc_posteriors=posteriors, excluded=[(1, 0), (3, 0)])
    assert [style(patch) for patch in drawn_arcs(known).values()] == [HEAD_DOWN] * 3


@pytest.mark.slow
@settings(max_examples=30)
@given(seed=st.integers(0, 10_000), n_nodes=st.integers(1, 9))
def test_any_average_is_drawn_pair_by_pair(seed, n_nodes):
    truth = random_dag(n_nodes=n_nodes, arity=2, max_parents=3, random_state=seed)
    shares = np.random.default_rng(seed).dirichlet(np.ones(3), (n_nodes, n_nodes))
    posteriors = np.triu(shares[..., 0], 1) + np.tril(shares.transpose(1, 0, 2)[..., 1], -1)
    found, directed = (
        drawn_arcs(truth.plot(kind="average", arc_posteriors=posteriors)),
        truth.pattern().directed,
    )
    joined = posteriors + posteriors.T
    assert {frozenset(arc) for arc in found} == {
        frozenset((u, v)) for u, v in combinations(range(n_nodes), 2) if joined[u, v] >= 0.2
    }
    for (u, v), patch in found.items():
        down, up = posteriors[u, v], posteriors[v, u]
        clear = max(down, up) >= 0.9 * (down + up)
        arc = (truth.names[u], truth.names[v])
        has_head = clear and (arc if down > up else arc[::-1]) in directed
        assert style(patch) == (DASHED if not has_head else HEAD_DOWN if down > up else HEAD_UP)
    plt.close("all")


def test_posteriors_with_names_are_put_in_order():
    table = posteriors_of(ab=0.09, ba=0.89)
    shuffled = table.loc[list("dbca"), list("bdac")]
    for given_ in (table, shuffled, table.to_numpy()):
        ax = chain_of_three().plot(kind="average", arc_posteriors=given_, excluded=[(0, 1)])
        assert "0.89" in [text.get_text() for text in ax.texts]
    with pytest.raises(ValueError, match="arc_posteriors has no row or no column 'd'"):
        chain_of_three().plot(arc_posteriors=table.drop(columns="d"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "cpdag"}, "kind is 'cpdag'"),
        ({"kind": "average"}, 'kind="average" needs arc_posteriors'),
    ],
)
def test_other_kinds_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        chain_of_three().plot(**options)

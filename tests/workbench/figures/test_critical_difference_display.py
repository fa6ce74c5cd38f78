"""No two labels of the figure of mean ranks touch, however many learners and however wide the axes."""

import itertools
import pickle

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from workbench.comparisons import friedman
from workbench.figures import CriticalDifferenceDisplay
from workbench.figures._shared.style import settings


@pytest.fixture(autouse=True)
def as_saved():
    """Draw with the settings of `save`."""
    with mpl.rc_context(settings()):
        yield


def display_of(n_learners, name="learner"):
    scores = np.random.default_rng(0).normal(size=(15, n_learners)) + 0.2 * np.arange(n_learners)
    return CriticalDifferenceDisplay(friedman(scores, learners=[f"{name}{i}" for i in range(n_learners)]))


def boxes(labels):
    return [label.get_window_extent() for label in labels if label.get_text()]


def labeled(figure):
    """Draw, and return the ranks that are labeled, after checking that none touches the next."""
    figure.draw_without_rendering()
    (ax,) = figure.axes
    names = sorted(boxes(ax.get_yticklabels()), key=lambda box: box.y0)
    assert all(one.y1 <= other.y0 for one, other in itertools.pairwise(names))
    ranks = sorted(boxes(ax.get_xticklabels()), key=lambda box: box.x0)
    assert all(one.x1 < other.x0 for one, other in itertools.pairwise(ranks))
    return [int(label.get_text()) for label in ax.get_xticklabels() if label.get_text()]


@pytest.mark.parametrize(
    ("n_learners", "wanted"),
    [
        (2, [1, 2]),
        (15, [*range(1, 16)]),
        (25, [*range(1, 26, 2)]),
        (40, [1, *range(5, 41, 5)]),
        (60, [1, *range(10, 61, 10)]),
        pytest.param(120, [1, *range(20, 121, 20)], marks=pytest.mark.slow),
    ],
)
def test_ranks_are_labeled_where_there_is_room(n_learners, wanted):
    figure = display_of(n_learners).sketch()
    assert labeled(figure) == wanted
    assert len(figure.axes[0].xaxis.get_minorticklocs()) == n_learners - len(wanted)


@pytest.mark.slow
def test_long_names_and_other_widths_leave_other_room():
    assert labeled(display_of(25, "a learner with a long name ").sketch()) == [1, 5, 10, 15, 20, 25]
    figure = display_of(25).sketch()
    for width, wanted in ((9.0, [*range(1, 26)]), (2.8, [1, 5, 10, 15, 20, 25]), (4.5, [*range(1, 26, 2)])):
        figure.set_size_inches(width, 8.0)
        assert labeled(figure) == wanted


def test_axes_of_a_size_that_the_caller_chose_are_labeled():
    for width in (1.2, 3.0, 12.0):
        figure = Figure(figsize=(width, 12.0))
        display_of(40).plot(figure.add_subplot())
        labeled(figure)


def test_the_figure_can_be_pickled():
    assert labeled(pickle.loads(pickle.dumps(display_of(25).sketch()))) == [*range(1, 26, 2)]

"""Names of points do not cover each other where there is room."""

import itertools

import numpy as np
from matplotlib.figure import Figure

from workbench.figures._shared.names import write_names
from workbench.figures._shared.sizes_axis import SizesAxis


def test_names_stand_next_to_their_points_and_apart():
    figure = Figure(figsize=(6, 4), dpi=100)
    ax = figure.subplots()
    points = [(0.0, 0.0), (0.02, 0.001), (0.03, 0.0), (1.0, 1.0), (1.0, 0.5)]
    ax.plot(*np.transpose(points), "o")
    ax.margins(0.2)
    names = ["first name", "second name", "third name", "the far one", "the other"]
    write_names(ax, points, names)
    assert [text.get_text() for text in ax.texts] == names
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
    middles = ax.transData.transform(points)
    for box, (x, y) in zip(boxes, middles, strict=True):
        away = max(box.x0 - x, x - box.x1, box.y0 - y, y - box.y1)
        assert 0 < away < 30  # pixels: beside the point, and near it


def test_learners_stand_side_by_side_around_their_size():
    axis = SizesAxis([50, 500, 5000])
    np.testing.assert_allclose(axis.places, np.log10([50, 500, 5000]))
    np.testing.assert_allclose(axis.dodged(0, 3) - axis.places, -0.15)
    np.testing.assert_allclose(axis.dodged(1, 3), axis.places, atol=1e-12)

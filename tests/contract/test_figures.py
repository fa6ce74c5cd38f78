"""Ask the same of each figure: that it draws any study, says what it shows, and leaves all else alone."""

import functools
import pkgutil
import re
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from tests.marks import mostly_slow
from workbench import Source, compare, load
from workbench import figures as room
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_name, source_name
from workbench.designs import FreshSamples
from workbench.figures import ARRAY_FIGURES, FIGURES, RESULT_FIGURES, STUDY_FIGURES, Display
from workbench.figures._shared.style import looks, settings

figures = pytest.mark.parametrize("kind", FIGURES.values(), ids=FIGURES.keys())
SOURCES = ("naive_bayes", "tan")
COMPARED = ("nb", "tan", "aode")
LONG = [f"learner_with_a_rather_long_name_{i}" for i in range(8)]
ODD = ["_hidden", "a$b_{c$", "<i>&\\frac", "näïve µ"]


@pytest.fixture(autouse=True)
def _no_windows():
    import matplotlib.pyplot as plt

    plt.switch_backend("Agg")
    yield
    plt.close("all")


@pytest.fixture
def _in_settings():
    """Stay in the settings of a figure: what is measured later than drawn has the settings of later."""
    with mpl.rc_context(settings()):
        yield


@pytest.fixture(scope="module")
def shapes(made_up):
    """Return results of few and of many learners and sizes."""
    return {
        "one size": made_up({"tan": scores(["nb", "tan", "prior", "truth"], 1)}, sizes=(50,)),
        "eight long names": made_up({"tan": scores([*LONG, "prior", "truth"], 3)}, sizes=(50, 500, 5000)),
        "odd names": made_up({"tan": scores(ODD, 2)}),
    }


def scores(learners, n_sizes):
    rng = np.random.default_rng(1)
    truths = rng.normal(size=(4, 1))
    return {key: truths + rng.normal(size=(4, n_sizes)) for key in learners}


def drawn(display):
    """Draw a figure of its own to the last letter, as `save` does."""
    with mpl.rc_context(settings()):
        figure = display.sketch()
        FigureCanvasAgg(figure).draw()
    return figure


@pytest.fixture(scope="module")
def made(small):
    """Return a function that makes the display of a source once for all who ask it."""
    return functools.cache(lambda kind, source="tan": kind.from_results(small, source=source))


@pytest.fixture(scope="module")
def of_shape(shapes):
    """Return a function that draws made-up results once for all who look at them."""
    return functools.cache(lambda kind, shape: drawn(kind.from_results(shapes[shape])))


def texts(figure):
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


def test_every_file_of_the_folder_is_a_figure_that_the_package_exports():
    files = {found.name for found in pkgutil.iter_modules(room.__path__) if not found.ispkg}
    assert files == set(FIGURES | STUDY_FIGURES | ARRAY_FIGURES)


@figures
def test_declares_key_and_title(kind):
    assert issubclass(kind, Display)
    assert FIGURES[kind.key] is kind
    assert kind.title


@figures
@pytest.mark.parametrize("source", mostly_slow(SOURCES, 1))
def test_draws_each_source_and_names_every_learner(kind, made, source):
    figure = drawn(made(kind, source))
    (ax,) = figure.axes
    words = "\n".join(texts(figure))
    assert source_name(source) in ax.get_title(loc="left") + ax.get_title()
    for learner in COMPARED:
        assert learner_name(learner) in words
    caption = made(kind, source).caption
    assert caption
    assert "nan" not in caption.split()


@figures
def test_the_axes_say_what_they_measure_in_which_unit(kind, small):
    (ax,) = drawn(kind.from_results(small, source="tan", score="accuracy")).axes
    for axis in (ax.xaxis, ax.yaxis):
        names = " ".join(label.get_text() for label in axis.get_ticklabels())
        assert axis.label.get_text() or all(learner_name(learner) in names for learner in COMPARED)
    labels = ax.get_xlabel() + ax.get_ylabel()
    assert "[share of samples]" in labels
    assert "accuracy" in labels


@figures
def test_draws_on_given_axes_or_new_ones(kind, small, made):
    import matplotlib.pyplot as plt

    made(kind).sketch()
    assert plt.get_fignums() == []
    display = small.plot(kind.key, source="tan")
    assert display.figure_.axes == [display.ax_]
    assert plt.get_fignums() == [display.figure_.number]
    figure, (left, right) = plt.subplots(1, 2)
    size = figure.get_size_inches().tolist()
    display = small.plot(kind.key, source="tan", ax=right)
    assert isinstance(display, kind)
    assert display.ax_ is right
    assert display.figure_ is figure
    assert right.has_data()
    assert not left.has_data()
    assert figure.axes == [left, right]
    assert figure.get_size_inches().tolist() == size


@pytest.mark.slow
@pytest.mark.parametrize(("key", "ending"), [("interaction", "pdf"), ("reward_by_size", "svg")])
def test_the_same_results_give_the_same_file_on_another_day(key, ending, small_store, tmp_path, monkeypatch):
    for day in (1, 2):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(86400 * day))
        FIGURES[key].from_results(load(small_store), source="tan").save(tmp_path / f"{day}.{ending}")
    assert (tmp_path / f"1.{ending}").read_bytes() == (tmp_path / f"2.{ending}").read_bytes()


@figures
def test_changes_neither_results_nor_settings(kind, small):
    frame, cells, rc = small.frame(), small.cells(), dict(mpl.rcParams)
    small.plot(kind.key, source="tan")
    kind.from_results(small, source="tan").sketch()
    pd.testing.assert_frame_equal(small.frame(), frame)
    pd.testing.assert_frame_equal(small.cells(), cells)
    assert dict(mpl.rcParams) == rc


@pytest.mark.slow
@figures
@pytest.mark.usefixtures("_in_settings")
@pytest.mark.parametrize("shape", ["one size", "eight long names"])
def test_all_fits_into_the_figure_and_nothing_covers_a_name(kind, of_shape, shape):
    figure = of_shape(kind, shape)
    (ax,) = figure.axes
    whole = figure.get_tightbbox(figure.canvas.get_renderer())
    width, height = figure.get_size_inches()
    assert whole.x0 > -0.02
    assert whole.y0 > -0.02
    assert whole.x1 < width + 0.02
    assert whole.y1 < height + 0.02
    names = [ax.xaxis.label, ax.yaxis.label, *ax.get_xticklabels(), *ax.get_yticklabels()]
    legend = ax.get_legend()
    if legend is not None:
        box = legend.get_window_extent()
        assert not [name for name in names if name.get_text() and box.overlaps(name.get_window_extent())]
    places = sorted((label.get_window_extent() for label in ax.get_yticklabels()), key=lambda box: box.y0)
    assert all(below.y1 <= above.y0 + 1 for below, above in pairwise(places))
    assert ax.get_window_extent().width > 0.25 * 72 * width


@figures
def test_names_are_drawn_as_they_are(kind, of_shape):
    words = "\n".join(texts(of_shape(kind, "odd names")))
    for learner in ODD:
        assert learner in words


@figures
def test_learners_can_be_chosen(kind, small):
    words = "\n".join(texts(drawn(kind.from_results(small, source="tan", learners=["aode", "prior"]))))
    assert "AODE" in words
    assert "prior" in words


@figures
def test_what_is_not_there_is_reported_with_the_nearest(kind, small):
    with pytest.raises(WorkbenchError, match=r"'tann'.*'tan'"):
        kind.from_results(small, source="tann")
    with pytest.raises(WorkbenchError, match="naive_bayes, tan"):
        kind.from_results(small)
    with pytest.raises(WorkbenchError, match=r"'aod'.*'aode'"):
        kind.from_results(small, source="tan", learners=["aod", "nb"])
    with pytest.raises(WorkbenchError, match=r"'accuracies'.*'accuracy'"):
        kind.from_results(small, source="tan", score="accuracies")
    with pytest.raises(WorkbenchError, match=rf"'{kind.key}s'.*'{kind.key}'"):
        small.plot(f"{kind.key}s", source="tan")


@pytest.fixture(scope="module")
def of_all_kinds(tmp_path_factory):
    """Return results that all figures can be made of: of truths, and of data sets."""
    design = FreshSamples(replicates=3, sizes=(20, 60), n_test=30, training_sets=2)
    noise = {
        f"noise {level}": Source("x", "tan", {"n_attributes": 2, "label_noise": level}, seeds="shared")
        for level in (0.0, 0.2)
    }
    learners, metrics = ["nb", "tan", "prior", "truth", "optimal"], ("ir_b", "kl_divergence")
    store = tmp_path_factory.mktemp("kinds") / "truths.db"  # bias and variance are of kept forecasts
    return {
        "truths": compare(learners, on=noise, design=design, metrics=metrics, store=store),
        "data sets": compare(["nb", "tan"], on=["iris"], cv=2, metrics="ir_b"),
    }


@pytest.mark.parametrize("key", RESULT_FIGURES)
def test_the_caption_names_the_score_with_its_rows_prior_and_cutoff(key, of_all_kinds):
    kind = RESULT_FIGURES[key]
    results = of_all_kinds[kind.draws[0]]
    score = results.choose("kl_divergence//test" if key == "bias_variance" else "ir_b///2002")
    options = {"parameter": "label_noise"} if key == "trend" else {"sources": results.study.source_keys[:1]}
    assert score.words in results.plot(key, score=str(score), **options).caption


@figures
def test_the_caption_names_who_is_left_out_and_how_many_truths_there_are(kind, made_up):
    gaps = np.full((4, 2), np.nan)
    few = scores(["nb", "tan"], 2)
    few["nb"][3] = np.nan
    caption = made_up({"tan": {**few, "fails": gaps}}).plot(kind.key, source="tan").caption
    assert "fails" in caption
    assert re.search("3 (TAN )?truths", caption) or kind.key == "exact_against_sampled"  # of cells


def test_all_figures_share_the_look_of_a_learner(small):
    look = looks(COMPARED)
    for key in ("reward_by_size", "interaction", "exact_against_sampled"):
        ax = small.plot(key, source="tan").ax_
        lines = {line.get_label(): line for line in ax.lines}
        lines |= {bars.get_label(): bars[0] for bars in ax.containers}
        colors = {learner: lines[learner_name(learner)].get_color() for learner in COMPARED}
        assert colors == {learner: look[learner].color for learner in COMPARED}


def test_filled_marks_are_the_significant_differences(made_up):
    rng = np.random.default_rng(2)
    low = rng.normal(size=(6, 2))
    results = made_up({"tan": {"low": low, "high": low + [1.0, 0.0] + 0.01 * rng.normal(size=(6, 2))}})
    markers = [line for line in results.plot("paired_differences").ax_.lines if line.get_marker() != "None"]
    filled = [line.get_xdata().tolist() for line in markers if line.get_markerfacecolor() != "none"]
    open_ones = [line.get_xdata().tolist() for line in markers if line.get_markerfacecolor() == "none"]
    first, second = results.differences()["difference"]
    assert filled == [[first], []]
    assert open_ones == [[first], [second]]

"""The figure of regret: bars that are the analysis, one axis for all kinds, and nothing that overlaps."""

from itertools import combinations, pairwise

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex

from workbench.analyses import Regret
from workbench.base.errors import WorkbenchError
from workbench.figures import RegretDisplay
from workbench.figures._shared.base import HEIGHT, WIDTH
from workbench.figures._shared.style import settings
from workbench.figures.regret import PARTS, TALLEST

WOBBLE = np.linspace(-1, 1, 6)[:, None]
COLORS = {color: part for part, (_, color) in PARTS.items()}


def kind(learners=("nb", "tan", "aode"), n_sizes=3, *, optimum=True, mix=True):
    """Return scores in which the i-th learner loses .2 + .05 + .1 i, a half at each further size."""
    level, shrunk = 1 + WOBBLE + np.zeros(n_sizes), 0.5 ** np.arange(n_sizes)
    lost = {key: 0.25 + 0.1 * i for i, key in enumerate(learners)} | {"truth": 0.0}
    lost |= ({"optimal": 0.2} | ({"optimal_mix": 0.25} if mix else {})) if optimum else {}
    own = {key: 0.01 * i * WOBBLE for i, key in enumerate(learners)}
    return {key: level - gap * shrunk + own.get(key, 0.0) for key, gap in lost.items()}


@pytest.fixture(scope="module")
def four(made_up):
    kinds = {"naive_bayes": kind(), "tan": kind(), "aode": kind(mix=False), "rules": kind(optimum=False)}
    return made_up(kinds, sizes=(50, 500, 5000))


@pytest.fixture(scope="module")
def one(made_up):
    return made_up({"tan": kind(["nb"], 1, mix=False)}, sizes=(50,))


def drawn(display):
    with mpl.rc_context(settings()):
        figure = display.sketch()
        FigureCanvasAgg(figure).draw()
    return figure


def panels_of(figure):
    (ax,) = figure.axes
    return ax.child_axes or [ax]


@pytest.mark.slow
def test_bars_are_the_parts_one_after_the_other(four):
    (panel, *_) = panels_of(drawn(RegretDisplay.from_results(four)))
    table = Regret.of_results(four).table
    row = table[(table["source"] == "naive_bayes") & (table["n_train"] == 50)].iloc[1]
    names = {
        label.get_text(): y for y, label in zip(panel.get_yticks(), panel.get_yticklabels(), strict=True)
    }
    assert list(names)[:2] == ["50 rows", "nb"]
    bars = [bar for bar in panel.patches if abs(bar.get_y() + bar.get_height() / 2 - 2) < 0.01]
    found = {COLORS[to_hex(bar.get_facecolor())]: (bar.get_x(), bar.get_width()) for bar in bars}
    assert found == {
        "irreducible": pytest.approx((0.0, row["irreducible"])),
        "not_knowing": pytest.approx((row["irreducible"], row["not_knowing"])),
        "own": pytest.approx((row["irreducible"] + row["not_knowing"], row["own"])),
    }
    lines = [line for lines in panel.collections for line in lines.get_segments() if line[0][1] == 2]
    assert lines[0][:, 0] == pytest.approx(row["irreducible"] + row[["low", "high"]].astype(float).to_numpy())


@pytest.mark.slow
def test_every_kind_has_a_panel_and_all_have_one_axis(four):
    panels = panels_of(drawn(RegretDisplay.from_results(four)))
    assert [panel.get_title(loc="left") for panel in panels] == [
        "naive_bayes truths", "tan truths", "aode truths", "rules truths",
    ]  # fmt: skip
    assert len({(*panel.get_xlim(), *panel.get_ylim()) for panel in panels}) == 1
    assert {panel.get_xlabel() for panel in panels} == {"ir_b: lost [bits]"}
    hatched = [sum(bool(bar.get_hatch()) for bar in panel.patches) for panel in panels]
    assert hatched == [0, 0, 0, 9]
    alone = RegretDisplay(Regret.of_results(four), source="tan")
    (panel,) = panels_of(drawn(alone))
    assert panel.get_xlim() == panels[0].get_xlim()
    assert alone.width == WIDTH


def boxes_of(figure):
    """Return every text that is drawn with its frame, in pixels; ticks beyond the axis are not drawn."""
    texts = [*figure.axes[0].get_legend().get_texts()]
    for panel in panels_of(figure):
        low, high = panel.get_xlim()
        texts += [panel.xaxis.label, *panel.get_yticklabels()]
        texts += [t.label1 for t in panel.xaxis.get_major_ticks() if low <= t.get_loc() <= high]
        texts.append(panel._left_title)
    own = {id(text): text for text in texts if text.get_text()}
    return [(text.get_text(), text.get_window_extent()) for text in own.values()]


@pytest.mark.slow
@pytest.mark.parametrize("which", ["four", "one", "five long names", "two sizes missing"])
def test_no_letters_overlap_or_are_clipped(which, four, one, made_up):
    long = [f"learner_with_a_long_name_{i}" for i in range(3)]
    results = {
        "four": four,
        "one": one,
        "five long names": made_up({f"hard_and_noisy_kind_{i}": kind(long, 2) for i in range(5)}),
        "two sizes missing": made_up({"a": kind(("nb",), 2), "b": kind(("tan", "nb"), 2)}),
    }[which]
    with mpl.rc_context(settings()):
        figure = drawn(RegretDisplay.from_results(results))
        boxes = boxes_of(figure)
        width, height = figure.get_size_inches() * figure.dpi
        for words, box in boxes:
            assert box.x0 > -2, words
            assert box.y0 > -2, words
            assert box.x1 < width + 4, words
            assert box.y1 < height + 2, words
        assert [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if one.overlaps(other)] == []
        rows = [panel.get_window_extent() for panel in panels_of(figure)]
        assert all(left.x1 < right.x0 or left.y0 > right.y1 for left, right in pairwise(rows))
        assert min(row.width for row in rows) / figure.dpi > 0.8


def test_a_small_study_has_a_small_figure(one):
    display = RegretDisplay.from_results(one).plot()
    assert (display.width, display.height) == (WIDTH, HEIGHT)
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["nobody could have known", "the learner's own"]
    assert display.caption.startswith("Mean ir_b (exact, prior marginal) lost to the truth, over 6 truths")
    assert "Blue" not in display.caption


def test_parts_below_zero_are_outlines(made_up):
    scores = kind(("nb",), 1)
    scores["nb"] = scores["optimal_mix"] + 0.04 + 0.001 * WOBBLE  # ahead of the mix, not of the optimum
    display = RegretDisplay.from_results(made_up({"tan": scores}, sizes=(50,))).plot()
    (outline,) = [bar for bar in display.ax_.patches if bar.get_width() < 0]
    assert outline.get_facecolor()[3] == 0
    assert outline.get_x() + outline.get_width() == pytest.approx(0.21)
    solid = [bar.get_x() + bar.get_width() for bar in display.ax_.patches if bar.get_width() > 0]
    assert max(solid) == pytest.approx(0.21)  # where the learner is, not the mix
    assert display.ax_.get_legend().get_texts()[-1].get_text() == "the learner's own, below 0"
    assert display.caption.endswith("Outlines: parts below 0, by which a bar gets shorter.")


def test_a_bar_ends_where_the_learner_is_if_some_truths_lack_the_mix(made_up):
    scores = kind(("nb",), 1)
    scores["optimal_mix"][::2] = np.nan
    scores["nb"][0] -= 0.6
    display = RegretDisplay.from_results(made_up({"tan": scores}, sizes=(50,))).plot()
    end = max(bar.get_x() + bar.get_width() for bar in display.ax_.patches)
    assert end == pytest.approx(display.regret.table["to_truth"].iloc[0])
    assert display.caption.endswith("blue is a mean over these.")


def test_a_regret_that_is_not_divided_has_a_color_of_its_own(made_up):
    kinds = {"tan": kind(("nb",), 1, mix=False), "dag": kind(("nb",), 1)}
    whole = Regret.of_results(made_up(kinds, sizes=(50,)))
    display = RegretDisplay(whole, source="tan").plot()
    bars = [bar for bar in display.ax_.patches if bar.get_width()]
    found = {COLORS[to_hex(bar.get_facecolor())]: (bar.get_x(), bar.get_width()) for bar in bars}
    assert found == {"irreducible": pytest.approx((0.0, 0.2)), "regret": pytest.approx((0.2, 0.05))}
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["nobody could have known", "own or not knowing the kind"]
    both = RegretDisplay(whole).plot().ax_.get_legend().get_texts()
    assert [text.get_text() for text in both] == [words for words, _ in PARTS.values()]


def test_the_outline_of_a_regret_that_is_not_divided_is_in_the_legend(made_up):
    ahead = kind(("nb",), 1, mix=False)
    ahead["nb"] = ahead["optimal"] + 0.04
    whole = Regret.of_results(made_up({"tan": ahead, "dag": kind(("nb",), 1)}, sizes=(50,)))
    display = RegretDisplay(whole, source="tan").plot()
    (outline,) = [bar for bar in display.ax_.patches if bar.get_width() < 0]
    assert COLORS[to_hex(outline.get_edgecolor())] == "regret"
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend[-1] == "own or not knowing the kind, below 0"


@pytest.mark.slow
@pytest.mark.parametrize(("n_kinds", "columns"), [(2, 2), (5, 3), (6, 3), (7, 4)])
def test_rows_of_panels_are_even_and_the_last_one_names_the_axis(made_up, n_kinds, columns):
    panels = panels_of(drawn(RegretDisplay.from_results(
        made_up({f"kind {i}": kind(("nb",), 2) for i in range(n_kinds)})
    )))  # fmt: skip
    tops = [round(panel.get_window_extent().y1) for panel in panels]
    assert tops.count(tops[0]) == columns
    named = [top for top, panel in zip(tops, panels, strict=True) if panel.get_xlabel()]
    assert named == [top for top in tops if top == min(tops)]


@pytest.mark.slow
def test_many_kinds_are_a_figure_each_with_the_axis_of_all(made_up):
    learners = [f"learner {i}" for i in range(9)]
    regret = Regret.of_results(
        made_up({f"kind {i}": kind(learners, 3) for i in range(5)}, sizes=(5, 50, 500))
    )
    pages = list(RegretDisplay.pages(regret))
    assert [page.kind for page in pages] == [f"kind {i} truths" for i in range(5)]
    assert max(page.height for page in pages) <= TALLEST < RegretDisplay(regret).height
    with pytest.raises(WorkbenchError, match="unknown source 'kind 9'; did you mean 'kind"):
        RegretDisplay(regret, source="kind 9")


def test_a_report_draws_it_of_studies_with_the_optimum(four, made_up):
    assert [display.source for display in RegretDisplay.reported(four, ())] == [None]
    plain = made_up({"tan": kind(optimum=False)}, sizes=(50, 500, 5000))
    assert list(RegretDisplay.reported(plain, ())) == []
    with pytest.raises(WorkbenchError, match='add "optimal"'):
        plain.plot("regret")

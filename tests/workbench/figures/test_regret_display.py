"""The figure of regret: bars that are the analysis, one axis for all kinds, and nothing that overlaps."""

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex

from workbench.analyses import Regret
from workbench.figures import RegretDisplay
from workbench.figures._shared.base import WIDTH
from workbench.figures._shared.style import settings
from workbench.figures.regret import PARTS

WOBBLE = np.linspace(-1, 1, 6)[:, None]
COLORS = {color: part for part, (_, color) in PARTS.items()}


def kind(learners=("nb", "tan", "aode"), n_sizes=3, *, optimum=True, mix=True):
    """Return scores in which the i-th learner loses .2 + .05 + .1 i, a half at each further size."""
    level, shrunk = 1 + WOBBLE + np.zeros(n_sizes), 0.5 ** np.arange(n_sizes)
    lost = {key: 0.25 + 0.1 * i for i, key in enumerate(learners)} | {"truth": 0.0}
    lost |= ({"optimal": 0.2} | ({"optimal_mixture": 0.25} if mix else {})) if optimum else {}
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
    assert list(names)[:2] == ["50 rows", "naive Bayes"]
    bars = [bar for bar in panel.patches if abs(bar.get_y() + bar.get_height() / 2 - 2) < 0.01]
    found = {COLORS[to_hex(bar.get_facecolor())]: (bar.get_x(), bar.get_width()) for bar in bars}
    assert found == {
        "irreducible": pytest.approx((0.0, row["irreducible"])),
        "structure_regret": pytest.approx((row["irreducible"], row["structure_regret"])),
        "learner_regret": pytest.approx(
            (row["irreducible"] + row["structure_regret"], row["learner_regret"])
        ),
    }
    lines = [line for lines in panel.collections for line in lines.get_segments() if line[0][1] == 2]
    assert lines[0][:, 0] == pytest.approx(row["irreducible"] + row[["low", "high"]].astype(float).to_numpy())


@pytest.mark.slow
def test_every_kind_has_a_panel_and_all_have_one_axis(four):
    panels = panels_of(drawn(RegretDisplay.from_results(four)))
    assert [panel.get_title(loc="left") for panel in panels] == [
        "naive Bayes truths", "TAN truths", "AODE truths", "rule truths",
    ]  # fmt: skip
    assert len({(*panel.get_xlim(), *panel.get_ylim()) for panel in panels}) == 1
    assert {panel.get_xlabel() for panel in panels} == {"bits lost (IR_B)"}
    hatched = [sum(bool(bar.get_hatch()) for bar in panel.patches) for panel in panels]
    assert hatched == [0, 0, 0, 9]
    alone = RegretDisplay(Regret.of_results(four), source="tan")
    (panel,) = panels_of(drawn(alone))
    assert panel.get_xlim() == panels[0].get_xlim()
    assert alone.width == WIDTH


def test_parts_below_zero_are_outlines(made_up):
    scores = kind(("nb",), 1)
    scores["nb"] = scores["optimal_mixture"] + 0.04 + 0.001 * WOBBLE  # ahead of the mix, not of the optimum
    display = RegretDisplay.from_results(made_up({"tan": scores}, sizes=(50,))).plot()
    (outline,) = [bar for bar in display.ax_.patches if bar.get_width() < 0]
    assert outline.get_facecolor()[3] == 0
    assert outline.get_x() + outline.get_width() == pytest.approx(0.21)
    solid = [bar.get_x() + bar.get_width() for bar in display.ax_.patches if bar.get_width() > 0]
    assert max(solid) == pytest.approx(0.21)  # where the learner is, not the mix


def test_a_bar_ends_where_the_learner_is_if_some_truths_lack_the_mix(made_up):
    scores = kind(("nb",), 1)
    scores["optimal_mixture"][::2] = np.nan
    scores["nb"][0] -= 0.6
    display = RegretDisplay.from_results(made_up({"tan": scores}, sizes=(50,))).plot()
    end = max(bar.get_x() + bar.get_width() for bar in display.ax_.patches)
    assert end == pytest.approx(display.regret.table["to_truth"].iloc[0])


def test_a_regret_that_is_not_divided_has_a_color_of_its_own(made_up):
    kinds = {"tan": kind(("nb",), 1, mix=False), "dag": kind(("nb",), 1)}
    whole = Regret.of_results(made_up(kinds, sizes=(50,)))
    display = RegretDisplay(whole, source="tan").plot()
    bars = [bar for bar in display.ax_.patches if bar.get_width()]
    found = {COLORS[to_hex(bar.get_facecolor())]: (bar.get_x(), bar.get_width()) for bar in bars}
    assert found == {"irreducible": pytest.approx((0.0, 0.2)), "regret": pytest.approx((0.2, 0.05))}


def test_a_report_draws_it_of_studies_with_the_optimum(four, made_up):
    assert [display.source for display in RegretDisplay.reported(four, ())] == [None]
    plain = made_up({"tan": kind(optimum=False)}, sizes=(50, 500, 5000))
    assert list(RegretDisplay.reported(plain, ())) == []
    assert "lost to the truth" in plain.plot("regret").caption

"""Figures of learners and sources that were named: who is drawn and spoken of, and several in one figure."""

import re

import numpy as np
import pytest

from learners import PriorClassifier
from workbench import Source, compare
from workbench.analyses._shared.subjects import truths_of
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_name
from workbench.designs import FreshSamples
from workbench.figures import RESULT_FIGURES

LEARNERS = ("nb", "tan", "aode", "c45", "baseline", "truth")
OTHERS = ("AODE", "C4", "baseline")
#: Figures of one source: regret needs the optimum, a trend several sources.
OF_TRUTHS = [
    key for key, kind in RESULT_FIGURES.items() if "truths" in kind.draws and key not in ("regret", "trend")
]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    on = {key: Source(key, key, {"n_attributes": 3}) for key in ("tan", "aode", "naive_bayes", "dag")}
    on |= {"noisy": Source("noisy", "tan", {"n_attributes": 3, "label_noise": 0.2})}
    design = FreshSamples(replicates=3, sizes=(30, 100), n_test=50, training_sets=2)
    learners = {key: PriorClassifier() if key == "baseline" else key for key in LEARNERS}
    return compare(learners, on=on, design=design, store=tmp_path_factory.mktemp("named") / "s.db")


def words_of(display):
    """Return everything that a figure says."""
    said = [display.caption]
    for ax in display.figure_.axes:
        legend = ax.get_legend()
        said += [text.get_text() for text in (legend.get_texts() if legend else [])]
        said += [text.get_text() for text in (*ax.texts, *ax.get_yticklabels())]
    return {word for text in said for word in re.findall(r"\w+", text)}


@pytest.mark.parametrize("key", OF_TRUTHS)
def test_a_figure_of_named_learners_speaks_of_no_other(results, key):
    display = results.plot(key, source="tan", learners=["nb", "tan"])
    assert words_of(display).isdisjoint(OTHERS)
    if hasattr(display, "sampling"):
        assert set(display.sampling.table["learner"]) == {"nb", "tan", "truth"}


def test_so_does_one_of_data_sets():
    made = compare(["nb", "tan", "aode", "c45"], on=["iris"], cv=3, metrics="accuracy")
    named = made.plot(learners=["nb", "tan"])
    assert words_of(named).isdisjoint(OTHERS)
    assert {"AODE", "C4"} <= words_of(made.plot())


@pytest.mark.parametrize(
    "sources",
    [
        ["tan", "aode"],
        pytest.param(["dag", "tan", "aode", "noisy"], marks=pytest.mark.slow),
        pytest.param(["noisy", "tan", "aode", "dag", "naive_bayes"], marks=pytest.mark.slow),
    ],
)
def test_several_sources_are_panels_with_common_axes(results, sources, tmp_path):
    display = results.plot("reward_by_size", sources=sources)
    panels = [ax for ax in display.figure_.axes if ax.get_visible()]
    assert [ax.get_title(loc="left") for ax in panels] == list(map(truths_of, sources))
    assert len({(ax.get_xlim(), ax.get_ylim()) for ax in panels}) == 1
    assert all(ax.get_legend() is None for ax in panels)
    (legend,) = display.figure_.legends
    assert {text.get_text() for text in legend.get_texts()} == set(map(learner_name, LEARNERS))
    alone = results.plot("reward_by_size", source=sources[-1]).ax_
    for mine, its in zip(panels[-1].lines, alone.lines, strict=True):
        np.testing.assert_array_equal(mine.get_xydata(), its.get_xydata())
    below = [
        ax for i, ax in enumerate(panels) if i + len({ax.get_position().x0 for ax in panels}) >= len(panels)
    ]
    assert [ax.get_xlabel() for ax in below] == ["training rows"] * len(below)
    display.save(tmp_path / "x.pdf")
    assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF")
    assert display.caption.count("Bars:") == 1


def test_what_a_caption_says_of_one_source_alone_names_it(results):
    captions = [results.plot("exact_against_sampled", source=key).caption for key in ("tan", "dag")]
    both = results.plot("exact_against_sampled", sources=["tan", "dag"]).caption
    own = [caption.split(". ", 2)[2] for caption in captions]
    assert own[0] != own[1]
    assert both.endswith(f"TAN truths: {own[0]} Random DAG truths: {own[1]}")


def test_a_figure_of_all_sources_keeps_those_named(results):
    assert set(results.plot("best_map", sources=["tan", "dag"]).best.table["source"]) == {"tan", "dag"}


def test_sources_and_axes_that_do_not_fit_are_refused(results):
    with pytest.raises(WorkbenchError, match="unknown source 'tam'; did you mean 'tan'"):
        results.plot("reward_by_size", sources=["tam"])
    with pytest.raises(WorkbenchError, match="expected a list of at least one"):
        results.plot("reward_by_size", sources="tan")
    with pytest.raises(WorkbenchError, match="both given"):
        results.plot("reward_by_size", source="tan", sources=["dag"])
    with pytest.raises(WorkbenchError, match="leave out ax"):
        results.plot(
            "reward_by_size", sources=["tan", "dag"], ax=results.plot("reward_by_size", source="tan").ax_
        )
    with pytest.raises(WorkbenchError, match=r"there are 5 sources: name one of .*sources="):
        results.plot("reward_by_size")

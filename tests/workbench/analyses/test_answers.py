"""The answer in words: whom it names, of what, and what it says of those that it leaves out."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tests.documents import comparing
from workbench.analyses import comparisons_of
from workbench.analyses.verdict import answer_sentence
from workbench.base import catalogue
from workbench.base.errors import Untested, WorkbenchError
from workbench.figures import DataSetsDisplay
from workbench.report.findings import Findings
from workbench.report.headline import headline_of
from workbench.report.notebook import notebook_html
from workbench.report.renderers.terminal import lines_of
from workbench.report.sections import significant_pairs
from workbench.report.terminal.comparison import comparison_parts
from workbench.report.terminal.comparison_to_base import comparison_to_base_lines
from workbench.report.terminal.pairs import pairs_parts

WAVE = np.array([0.01, -0.01, 0.02, -0.02, 0.01, -0.01])
ALL = ["nb", "tree", "prior"]
IR_B, CUT = (("ir_b", "marginal", "exact", cutoff) for cutoff in ("none", "2002"))


def first_screen(results, score=None):
    """Return what a report begins with."""
    return headline_of(Findings(results, score))


@pytest.fixture
def scored(on_datasets):
    """Return a function that makes results of given accuracies; NaN is a cell that failed."""

    def made(values):
        cells = on_datasets._cells.sort_values(["replicate", "fold"]).copy()
        by_cell = {}
        for (source, learner), own in values.items():
            of = (cells["source"] == source) & (cells["learner"] == learner)
            by_cell |= dict(zip(cells["cell"][of], own, strict=True))
        failed = [cell for cell, value in by_cell.items() if np.isnan(value)]
        cells.loc[cells["cell"].isin(failed), ["state", "message"]] = ["failed", "it broke"]
        scores = on_datasets._scores
        scores = scores[(scores["metric"] == "accuracy") & ~scores["cell"].isin(failed)]
        new = scores["cell"].map(by_cell).fillna(scores["value"])
        return replace(on_datasets, _cells=cells, _scores=scores.assign(value=new))

    return made


def lost(value):
    """Return accuracies of a learner that failed in all parts but the first."""
    return np.where(np.arange(6) == 0, value, np.nan)


@pytest.fixture
def flaky(scored):
    """Return results in which the tree has the best score, in the only part where it did not fail."""
    return scored({("iris", "nb"): 0.9 + WAVE, ("iris", "tree"): lost(0.99), ("iris", "prior"): 0.4 - WAVE})


def test_a_learner_that_failed_in_some_parts_does_not_lead(flaky):
    iris, _ = tests = comparisons_of(flaky, score="accuracy", learners=ALL)
    assert (iris.tested, iris.best, iris.standings[0].tied) == (("nb", "prior"), ("nb",), ())
    assert flaky.ranking("accuracy", learners=ALL)["iris"].tolist() == ["wins", "not compared", "worse"]
    only = replace(flaky, study=flaky.study.only_sources(["iris"]))
    only = replace(only, _cells=only._cells[only._cells["source"] == "iris"])
    answer = only.answer("accuracy", learners=ALL)
    assert "on iris, naive Bayes wins" in answer
    assert "tree on iris (scores in 1 of 6 parts: it broke)" in answer
    ax = DataSetsDisplay(tests).sketch().axes[0]
    circles = [line.get_xdata()[0] for line in ax.lines if line.get_markerfacecolor() == "none"]
    assert pytest.approx(0.9) in circles
    assert all(x < 0.98 for x in circles)


def test_several_data_sets_open_with_who_wins_and_leads_on_how_many(scored):
    clear = {("iris", "nb"): 0.9 + WAVE, ("iris", "tree"): 0.5 - WAVE, ("iris", "prior"): 0.4 + WAVE / 2}
    close = {("wine", "nb"): 0.9 + WAVE, ("wine", "tree"): 0.901 - WAVE, ("wine", "prior"): 0.4 + WAVE / 2}
    answer = scored({**clear, **close}).answer("accuracy", learners=ALL)
    assert "naive Bayes wins on 1 of 2 data sets and tree leads on 1" in answer
    assert "5 are significant" in answer
    assert "naive Bayes 3/1/0, tree 2/1/1, class prior 0/0/4" in answer


def test_an_only_learner_has_its_means_and_nothing_that_compares(on_datasets):
    answer = on_datasets.answer("accuracy", learners=["nb"])
    means = on_datasets.table("accuracy")["mean"].xs("nb", level="learner")
    shown = ", ".join(f"{mean:.3g} on {source}" for source, mean in means.items())
    assert shown in answer
    alone = replace(on_datasets, study=comparing(on_datasets.study, ["nb"]))
    shown = first_screen(alone)
    assert (shown.question, shown.matrices, shown.matrix_note) == ("", (), "")
    assert "circle" not in shown.caption
    assert not list(significant_pairs.SECTION.parts(Findings(alone)))
    assert "wins:" not in notebook_html(alone)


@pytest.mark.slow
def test_a_report_begins_with_the_first_metric_of_the_study_or_the_score_asked_for(on_datasets):
    assert first_screen(on_datasets).parts == (on_datasets.answer(),)
    assert on_datasets.answer().startswith("By accuracy")
    asked = first_screen(on_datasets, "ir_b")
    assert asked.parts == (on_datasets.answer("ir_b"),)
    assert "highest IR_B" in asked.question
    assert asked.pictures[0].name.startswith("data_sets_ir_b")
    first = next(lines_of(pairs_parts(on_datasets)))
    assert first.startswith("accuracy")


@pytest.fixture
def stopped(on_datasets):
    """Return results of a run that was stopped in its third part of six, of one data set."""
    cells = on_datasets._cells
    cells = cells.assign(state=cells["state"].where(cells["replicate"] < 2, "pending"))
    late = (cells["replicate"] == 2) & (cells["learner"] == "nb") & (cells["source"] == "iris")
    cells.loc[late, "state"] = "done"
    done = cells["cell"][cells["state"] == "done"]
    scores = on_datasets._scores
    return replace(on_datasets, _cells=cells, _scores=scores[scores["cell"].isin(done)])


@pytest.mark.slow
def test_a_run_that_was_stopped_says_how_far_it_came(stopped, on_datasets, made_up):
    fact = "13 of 36 cells. 4 of 12 parts"
    for shown in (stopped.answer(), first_screen(stopped).subtitle, notebook_html(stopped)):
        assert fact in shown
    for parts in (
        pairs_parts(stopped),
        comparison_to_base_lines(stopped, "nb"),
        comparison_parts(stopped, "bayes", rope=0.01),
    ):
        assert fact in next(lines_of(parts))
    assert "36 cells" not in on_datasets.answer()
    truths = made_up({"tan": {"nb": WAVE[:, None], "tan": 1 - WAVE[:, None]}}, sizes=(50,))
    truths._cells.loc[truths._cells["replicate"] > 3, "state"] = "pending"
    assert "8 of 12 cells. 4 of 6 truths" in truths.answer()


def cut_off(made_up, values):
    """Return results whose scores of the learner "sharp" are infinite without the cut-off."""
    results = made_up({"tan": values}, sizes=(50,), keys=(IR_B, CUT))
    cells = results._cells
    sharp = results._scores["cell"].isin(cells["cell"][cells["learner"] == "sharp"])
    infinite = sharp & (results._scores["cutoff"] == "none")
    return replace(
        results, _scores=results._scores.assign(value=results._scores["value"].mask(infinite, -np.inf))
    )


def test_on_truths_too_the_cut_off_is_taken_where_it_lets_more_be_compared(made_up):
    values = {"nb": WAVE[:, None], "tan": 0.5 - WAVE[:, None], "sharp": 1 + WAVE[::-1, None] / 3}
    results = cut_off(made_up, values)
    answer = results.answer()
    assert "clipped as in 2002" in answer
    assert "score of sharp is infinite" in answer
    shown = first_screen(results)
    assert answer == answer_sentence(shown.opening, shown.parts, shown.surety)
    assert results.ranking()["tan", 50].tolist() == ["worse", "worse", "wins"]
    assert "not compared" in results.answer("///none").lower()
    finite = made_up(
        {"tan": {"nb": WAVE[:, None], "tan": 0.5 - WAVE[:, None]}}, keys=(IR_B, CUT), sizes=(50,)
    )
    assert finite.choose().cutoff == "none"


def test_a_comparison_with_a_base_that_cannot_be_tested_warns_why(flaky):
    with pytest.warns(Untested, match="tree on iris .*1 of 6 parts: it broke"):
        flaky.compare_to("tree", "accuracy", learners=["nb"])
    flaky.compare_to("nb", "accuracy", learners=["prior"])  # warnings are errors
    *_, last = lines_of(comparison_to_base_lines(flaky, "nb", score="accuracy"))
    assert last == "in no test: class prior"


def test_a_figure_that_does_not_fit_the_study_names_those_that_do(on_datasets, made_up):
    with pytest.raises(WorkbenchError, match=r"truths.*data_sets"):
        on_datasets.plot("interaction")
    truths = made_up({"tan": {"nb": WAVE[:, None], "tan": 0.5 - WAVE[:, None]}}, sizes=(50,))
    with pytest.raises(WorkbenchError, match=r"data sets.*best_map, .*sample_c"):
        truths.plot("data_sets")
    with pytest.raises(WorkbenchError, match="'best_map'"):
        truths.plot("best_mapp")
    assert {"data_sets", "best_map", "interaction"} <= {*catalogue.keys("figures")}


def test_an_answer_before_there_is_one_says_how_far_the_study_is(made_up):
    results = made_up({"a": {"nb": [[0.1, 0.2]], "tan": [[0.2, 0.3]]}})
    with pytest.raises(WorkbenchError, match="one replicate"):
        results.answer()
    cells = results._cells.copy()
    pending = cells.iloc[[0]].assign(cell=99, identity="late", replicate=1, state="pending")
    stopped = replace(results, _cells=pd.concat([cells, pending], ignore_index=True))
    assert stopped.answer().startswith("Computed so far: 4 of 5 cells.")
    assert "No answer yet: source 'a' has one replicate" in stopped.answer()

"""What a reader meets first: the score in a sentence, who wins where, what failed; in notebooks too."""

import re

import numpy as np
import pytest

from workbench.base.errors import Untested
from workbench.base.names import learner_name
from workbench.base.score_key import ScoreKey
from workbench.figures import DataSetsDisplay
from workbench.report import notebook
from workbench.report.content import gather
from workbench.report.findings import Findings
from workbench.report.headline import headline_of, meaning_of
from workbench.report.notebook import notebook_html
from workbench.report.table import Tag

rng = np.random.default_rng(1)
BASE = rng.normal(size=(8, 2))
STUDY = {"tan": {"nb": BASE, "tan": BASE + 5, "broken": np.where(np.arange(8)[:, None] == 0, np.nan, BASE)}}


def headline(results):
    return headline_of(Findings(results, results.choose() if results.design.blocks.has_sizes else None))


def test_a_title_says_what_was_compared_on_what(made_up, on_datasets):
    assert headline(made_up(STUDY)).title == "naive Bayes, TAN and broken on TAN truths"
    many = {f"l{i}": BASE for i in range(9)}
    assert headline(made_up({"tan": many, "aode": many})).title == "9 learners on TAN and AODE truths"
    assert " on " in headline(on_datasets).title


def test_title_and_subtitle_count_the_same_learners(made_up):
    results = made_up({"tan": {f"l{i}": BASE for i in range(9)} | {"prior": BASE, "truth": BASE}})
    found = headline(results)
    counted = results.study.counted_learners
    assert counted == "9 learners (alongside: class prior and truth)"
    assert found.title.startswith("9 learners on ")
    assert f": {counted} on " in found.subtitle
    assert counted in repr(results)
    assert counted in repr(results.study)


def test_the_score_is_explained_in_words(made_up):
    results = made_up(STUDY)
    said = meaning_of(results, ScoreKey("ir_b", "marginal", "exact", "none"))
    assert said.startswith("IR_B: ")
    assert "bits, higher is better" in said
    assert "arginal prior" in said


def test_failures_are_counted_by_learner_with_their_cause(made_up):
    assert headline(made_up(STUDY)).failures == ("broken failed in 2 of 16 cells: it broke",)


def test_the_matrix_is_that_of_the_results(made_up):
    results = made_up(STUDY)
    (table,) = headline(results).matrices
    with pytest.warns(Untested, match="broken has no score on 1"):
        matrix = results.ranking()["tan"]
    assert table.columns == ("learner", "50 rows", "500 rows")
    for learner, *cells in table.rows:
        assert all(isinstance(cell, Tag) for cell in cells)
        assert [cell.text for cell in cells] == matrix.rename(learner_name).loc[learner].tolist()


@pytest.mark.slow
def test_every_metric_of_data_sets_has_a_figure(on_datasets):
    document = gather(on_datasets)
    named = [part.name for section in document.sections for part in section.parts if hasattr(part, "sketch")]
    drawn = [document.pictures[0].name, *named]
    for metric in on_datasets.study.metrics:
        assert sum(name.startswith(f"data_sets_{metric}") for name in drawn) == 1


@pytest.mark.slow
def test_only_what_is_drawn_stands_in_the_legend_of_data_sets(on_datasets):
    tests = Findings(on_datasets).tests
    for own in tests.values():
        figure = DataSetsDisplay(own).sketch()
        (legend,) = [text for ax in figure.axes for text in [ax.get_legend()] if text]
        shown = [text.get_text() for text in legend.get_texts()]
        finite = [
            key
            for key in own[0].scores.means.index
            if any(np.isfinite(one.scores.means["mean"][key]) for one in own)
        ]
        names = [*map(learner_name, own[0].scores.means.index)]
        assert [name for name in shown if name in names] == [*map(learner_name, finite)]


def test_a_notebook_shows_answer_matrix_cells_and_failures(made_up):
    results = made_up(STUDY, name="<b>odd</b>")
    shown = results._repr_html_()
    assert shown is results._repr_html_()  # computed once
    assert "<b>odd" not in shown
    assert "TAN wins with 50 and 500 training rows" in shown
    assert "48 cells: 46 done, 2 failed" in shown
    assert "broken failed in 2 of 16 cells: it broke" in shown
    assert ".report(&quot;results.html&quot;)" in shown
    assert re.findall(r"<small>(\w+)</small>", shown).count("wins") == 2
    assert not re.search(r"[^-]color:", shown)  # letters keep the page's own


def test_a_study_without_an_answer_is_shown_with_the_reason(made_up):
    shown = notebook_html(made_up({"tan": {"nb": BASE}}))
    assert "There is no winner: on TAN truths too few learners" in shown
    assert "16 cells: 16 done" in shown


@pytest.mark.slow
def test_a_large_study_is_shown_without_a_test(made_up, monkeypatch):
    monkeypatch.delattr(notebook, "LearnerRanking")
    monkeypatch.delattr(notebook, "deciding_tests")
    learners = {f"l{i}": rng.normal(size=(400, 8)) for i in range(10)}
    results = made_up({"a": learners, "b": learners}, sizes=tuple(range(10, 18)))
    assert "too large" in results._repr_html_()


def test_a_learner_that_has_no_score_at_a_size_does_not_end_the_comparison(made_up):
    some = np.where([True, False], BASE, np.nan)
    results = made_up({"tan": {"nb": BASE, "tan": BASE + 5, "some": some}})
    assert results.ranking()["tan", 50].tolist() == ["worse", "wins", "not compared"]
    assert headline(results).failures == ("some failed in 8 of 16 cells: it broke",)
    assert "finite scores: some" in results.answer()

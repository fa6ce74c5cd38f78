"""What a report says of the distance from the best possible, and the roles of the optima."""

import numpy as np
import pytest

from workbench.analyses import BestMap, Regret
from workbench.report.content import gather
from workbench.report.document import Picture, Text
from workbench.report.findings import Findings
from workbench.report.sections.regret import SECTION
from workbench.report.sections.scores import SECTION as SCORES
from workbench.report.sections.study_figures import SECTION as ACROSS
from workbench.report.size_tables import best_table
from workbench.report.table import Number, Table

WOBBLE = np.linspace(-1, 1, 6)[:, None]
LOST = {"nb": 0.5, "tan": 0.3, "truth": 0.0, "prior": 1.0, "optimal": 0.2, "optimal_mixture": 0.25}


def kind(keys=tuple(LOST)):
    level = 1 + WOBBLE + np.zeros(2)
    return {key: level - LOST[key] + 0.02 * i * WOBBLE for i, key in enumerate(keys)}


@pytest.fixture(scope="module")
def results(made_up):
    return made_up({"tan": kind(), "rules": kind(("nb", "tan", "truth", "prior"))})


def parts_of(results, section=SECTION):
    return list(section.parts(Findings(results)))


def test_the_section_has_the_sentences_the_figure_and_the_numbers(results):
    found = Regret.of_results(results)
    parts = parts_of(results)
    assert [part.content for part in parts[:4]] == list(found.sentences)
    assert isinstance(parts[4], Picture)
    assert (parts[4].name, parts[4].wide) == ("regret", False)
    table = parts[5]
    numbers = {
        cell.name: cell for row in table.rows for cell in row if isinstance(cell, Number) and cell.name
    }
    for row in found.table.itertuples():
        place = f"ir_b|marginal|exact|none|{row.source}|{row.learner}|{row.n_train}"
        own, regret = numbers[f"learner_regret|{place}"], numbers[f"regret|{place}"]
        np.testing.assert_equal(
            (own.value, own.low, own.high),
            (row.learner_regret, row.learner_regret_low, row.learner_regret_high),
        )
        np.testing.assert_equal((regret.value, regret.low, regret.high), (row.regret, row.low, row.high))
    (note,) = parts[6:]
    assert isinstance(note, Text)
    assert "rule truths" in note.content


def test_the_figure_stands_in_no_other_section(results):
    drawn = [part.name for part in parts_of(results, ACROSS) if isinstance(part, Picture)]
    assert drawn == ["best_map"]


def test_studies_without_the_optimum_have_no_such_section(made_up):
    assert parts_of(made_up({"rules": kind(("nb", "tan", "truth"))})) == []


def test_one_learner_is_enough(made_up):
    parts = parts_of(made_up({"tan": kind(("nb", "truth", "optimal"))}))
    assert "naive Bayes" in parts[0].content


def test_why_nothing_is_shown_is_said(made_up):
    scores = kind(("nb", "optimal"))
    scores["nb"] = np.full((6, 2), -np.inf)
    (said,) = parts_of(made_up({"tan": scores}))
    assert "on TAN truths" in said.content


def test_the_scores_name_the_optima(results):
    first = next(part for part in parts_of(results, SCORES) if isinstance(part, Table))
    assert {row[0]: row[1] for row in first.rows} == {
        "naive Bayes": "", "TAN": "", "truth": "best possible", "class prior": "alongside",
        "optimum": "optimum",
        "optimum (mixture)": "optimum of the mixture",
    }  # fmt: skip


def test_the_best_learner_is_close_to_the_optimum_with_a_probability(results):
    found = BestMap.of_results(results, within=0.2)
    table = best_table(found)
    assert table.columns[4] == "within 0.2 bits of the optimum"
    assert [row[4].text for row in table.rows] == ["> 0.999", "> 0.999", "\u2013", "\u2013"]
    assert [len(row) for row in table.rows] == [len(table.columns)] * 4


@pytest.mark.slow
def test_a_whole_report_has_it_after_the_scores(results):
    titles = [section.title for section in gather(results).sections]
    assert titles[:2] == ["Scores", "Distance from the optimum"]

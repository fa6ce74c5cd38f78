"""Cells of a table, and what each medium makes of them."""

import csv
import math
import re

import pandas as pd
import pytest

from workbench.analyses import SampleComplexity
from workbench.report.document import Document, Section
from workbench.report.renderers.csv import write_csv
from workbench.report.renderers.html import write_html
from workbench.report.renderers.latex import tabular, write_latex
from workbench.report.renderers.markdown import write_markdown
from workbench.report.renderers.terminal import lines_of
from workbench.report.size_tables import needed_table
from workbench.report.table import Number, Table, plain

CELLS = [
    (Number(-0.5, 2), "\u22120.50", "-0.50"),
    (Number(math.nan), "\u2013", "-"),
    (Number(-math.inf, n_infinite=3), "\u2212\u221e (3)", "-inf (3)"),
    (Number(0.00001, 4, form="p"), "< 0.0001", "<0.0001"),
    (Number(0.1, 1, low=-0.2, high=0.4), "0.1 [\u22120.2, 0.4]", "0.1 (-0.2, 0.4)"),
    (Number(0.1, 1, spread=0.25, spread_digits=2), "0.1 \u00b1 0.25", "0.1 \u00b1.25"),
    (Number(0.47, form="percent"), "47%", "47%"),
    (Number(-0.00001, 4, form="zero"), "0.0000", "0.0000"),
    (Number(2, form="signed"), "+2", "+2"),
    (Number(30.0, low=20.0, high=90.0, words="30", ends=("<= 20", "90")), "30 [<= 20, 90]", "30 (<= 20, 90)"),
]
TABLE = Table("Scores", ("learner", "a\nb"), (("nb_1", CELLS[0][0]), ("tan", CELLS[4][0])), "Note.")


@pytest.mark.parametrize(("cell", "typeset", "typed"), CELLS)
def test_a_cell_is_written_with_the_signs_of_its_medium(cell, typeset, typed):
    assert (cell.text, plain(cell)) == (typeset, typed)


def test_a_terminal_sets_words_to_the_left_and_numbers_to_the_right():
    assert list(lines_of(["above", TABLE])) == [
        "above", "Scores", "learner              a b", "nb_1               -0.50",
        "tan      0.1 (-0.2, 0.4)", "Note.",
    ]  # fmt: skip


def test_a_tabular_escapes_words_and_signs():
    lines = tabular(TABLE).splitlines()
    assert lines[0] == r"\begin{tabular}{lr}"
    assert r"nb\_1 & $-$0.50 \\" in lines


def test_csv_has_every_number_in_full(tmp_path):
    document = Document("t", "", "", (), "", (), (), "", (Section("Scores of all", (TABLE,)),), "")
    write_csv(document, tmp_path / "r.csv")
    rows = list(csv.DictReader((tmp_path / "r.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["column"] for row in rows] == ["learner", "a b"] * 2
    last = rows[3]
    assert (last["row"], last["label"], float(last["value"]), float(last["low"])) == ("2", "tan", 0.1, -0.2)
    assert rows[1]["low"] == ""


def test_a_cell_of_a_report_in_csv_is_found_by_section_table_row_and_column(small, tmp_path):
    small.report(tmp_path / "r.csv")
    cells = pd.read_csv(tmp_path / "r.csv")
    assert not cells.duplicated(["section", "table", "row", "column"]).any()
    numbers = cells.dropna(subset="low")
    assert (numbers["low"] <= numbers["high"]).all()


def test_latex_keeps_the_note_of_a_table(tmp_path):
    document = Document("t", "", "", (), "", (), (), "", (Section("Scores of all", (TABLE,)),), "")
    write_latex(document, tmp_path / "r.tex")
    text = (tmp_path / "r.tex").read_text(encoding="utf-8")
    assert text.index("nb\\_1") < text.index("\\footnotesize Note.}")


def test_rows_needed_name_the_source_where_it_is_the_only_one(small):
    found = SampleComplexity.of_results(small, shares=[0.5])
    assert needed_table(found).title.startswith("Rows needed by IR_B")
    assert needed_table(found, one=True).title.startswith("naive Bayes truths: rows needed by IR_B")


NASTY = "<script>alert(1)</script> | `a` *b* [c](d) $e$ \\input{f}"


@pytest.mark.parametrize(
    ("write", "ending", "refused"),
    [
        (write_html, "html", r"<script>alert"),
        (write_markdown, "md", r"(?<!\\)(<script|\| |`a|\*b|\]\(d)"),
        (write_latex, "tex", r"\\input\{f\}|(?<!\\)\$e"),
    ],
)
def test_words_of_a_study_are_text_in_every_medium(tmp_path, write, ending, refused):
    document = Document(
        NASTY,
        "",
        NASTY,
        (NASTY,),
        NASTY,
        (),
        (),
        "",
        (Section(NASTY, (Table(NASTY, ("x",), ((NASTY,),)),)),),
        "",
    )
    write(document, tmp_path / f"r.{ending}")
    text = (tmp_path / f"r.{ending}").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if "alert(1)" in line and not line.startswith("| ")]
    assert len(lines) >= 2
    assert [line for line in lines if re.search(refused, line)] == []

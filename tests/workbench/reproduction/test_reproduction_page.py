"""The page of a reproduction, the command, the markers of a page, and the targets of the Makefile."""

import re
import shutil
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier
from typer.testing import CliRunner

import workbench
from learners import NaiveBayesClassifier
from workbench import load
from workbench.base.errors import WorkbenchError
from workbench.cli.app import app
from workbench.designs import RandomSplits
from workbench.report.renderers.markdown import END, START, between_markers
from workbench.report.table import Number, Table
from workbench.reproduction import Printed, Reproduction, write_reproduction
from workbench.reproduction.ablations import SharedRows
from workbench.reproduction.page.document import reproduction_document
from workbench.reproduction.page.sentences import RULE, WITHOUT_ABLATIONS, few_shared, sentence, unfinished

ROOT = Path(__file__).resolve().parents[3]
IRIS, WINE = '<b>&"x"</b>', "a_b|c"
PAPER = "<i>Some</i> & body_1 (1999)"
CSV = f'''dataset,learner,value,r
"{IRIS.replace('"', '""')}",NB,0.95,0.9
"{IRIS.replace('"', '""')}",Tree,0.10,NaN
{WINE},NB,0.97,0.8
{WINE},Tree,0.91,0.7
'''
TOML = f'''
paper = "{PAPER}"
[learners]
"NB" = "nb"
"Tree" = "tree"
[[tables]]
name = "Table 1: <accuracy>"
file = "printed.csv"
columns = {{ dataset = "dataset", learner = "learner", value = "value" }}
statistic = "mean"
metric = "accuracy"
units = 10
[[tables]]
name = "Table 2"
file = "printed.csv"
columns = {{ dataset = "dataset", learner = "learner", value = "r" }}
statistic = "correlation"
metric = "accuracy"
other = {{ metric = "quadratic_loss" }}
units = 10
'''


def compared(learners, store):
    tables = {
        IRIS: load_iris(return_X_y=True, as_frame=True),
        WINE: load_wine(return_X_y=True, as_frame=True),
    }
    return workbench.compare(
        learners,
        on=tables,
        metrics=("accuracy", "quadratic_loss"),
        design=RandomSplits(repeats=8),
        store=store,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with two small stores and what a paper prints."""
    folder = tmp_path_factory.mktemp("paper")
    (folder / "printed.csv").write_text(CSV, encoding="utf-8")
    (folder / "printed.toml").write_text(TOML, encoding="utf-8")
    compared({"nb": NaiveBayesClassifier(), "tree": DecisionTreeClassifier(random_state=1)}, folder / "s.db")
    compared({"tree__stump": DecisionTreeClassifier(max_depth=1, random_state=1)}, folder / "turned.db")
    return folder


@pytest.fixture(scope="module")
def found(folder):
    return Reproduction.of(
        load(folder / "s.db"), Printed.from_toml(folder / "printed.toml"), load(folder / "turned.db")
    )


def tables_of(document):
    return {
        part.title: part for section in document.sections for part in section.parts if isinstance(part, Table)
    }


def test_the_page_has_every_part_and_the_counts_first(found):
    document = reproduction_document(found)
    assert [section.title for section in document.sections] == [
        "Counts", "Orders and directions", "Ours against printed", "Every cell", "Settings",
        "Study and provenance", "Ablations", "Study of ablations",
    ]  # fmt: skip
    rows = tables_of(document)["Printed cells"].rows
    tables, totals = rows[: len(found.counts)], rows[len(found.counts) :]
    assert [[cell.value for cell in row[1:]] for row in tables] == found.counts.to_numpy().tolist()
    assert [row[0] for row in totals] == ["score cells", "all"]
    own = found.totals.drop(columns="judged")
    assert [[cell.value for cell in row[1:] if cell] for row in totals] == own.to_numpy().tolist()
    assert document.sections[0].parts[1].content == RULE


def test_every_printed_cell_is_in_the_grid_with_its_verdict(found):
    tables = tables_of(reproduction_document(found))
    shown = {
        cell.name: cell
        for name in ("Table 1: <accuracy>", "Table 2")
        for row in tables[name].rows
        for cell in row
        if isinstance(cell, Number)
    }
    assert len(shown) == len(found.cells) == 8
    verdicts = set()
    for row in found.cells.itertuples():
        cell = shown[f"ours|{row.table}|{row.dataset}|{row.learner}|"]
        assert cell.strong == (row.verdict == "differ")
        assert ("(?)" in cell.text) == (row.verdict == "unknown")
        if row.verdict != "unknown":
            digits = 2 if row.statistic == "mean" else 1
            assert cell.value == row.ours
            numbers = [float(word.replace("\u2212", "-")) for word in cell.text.split(" (")[0].split()]
            assert numbers == pytest.approx([row.ours, row.printed, row.difference], abs=0.5001 * 10**-digits)
        verdicts.add(row.verdict)
    assert verdicts == {"agree", "differ", "unknown"}
    (why,) = tables["Table 2: not judged"].rows
    assert why[0] == "no number is printed"
    assert why[2] == f"{IRIS} tree"


def test_names_are_escaped_in_html(found, tmp_path):
    page = write_reproduction(found, tmp_path / "new" / "page.html").read_text(encoding="utf-8")
    for name in (IRIS, PAPER, "<accuracy>"):
        assert name not in page
    assert "&lt;b&gt;&amp;&#34;x&#34;&lt;/b&gt;" in page
    assert "&lt;i&gt;Some&lt;/i&gt; &amp; body_1 (1999)" in page
    strong = re.findall(r'<td class="n strong lines"[^>]*data-name="ours\|', page)
    assert len(strong) == int(found.counts["differ"].sum()) > 0
    assert page.count("<svg") == 1


def test_an_ablation_is_reported_over_all_tables_and_in_each(found):
    tables = tables_of(reproduction_document(found))
    (whole,) = tables["What each ablation moves"].rows
    each = tables["What each ablation moves, table by table"].rows
    assert whole[:2] == ("tree__stump", "tree")
    assert whole[2].value == sum(row[3].value for row in each) == found.sensitivity["cells"].sum()
    columns = tables["What each ablation moves"].columns
    assert columns == ("ablation", "learner", "cells", "moved in", "moved out", "before", "after")
    own = found.sensitivity
    assert own["measured"].sum() > 0
    for i, word in ((5, "before"), (6, "after")):
        mean = (own[word] * own["measured"]).sum() / own["measured"].sum()
        assert whole[i].value == pytest.approx(mean)
    assert "noisier" in tables["What each ablation moves"].note


@pytest.mark.slow
def test_ablations_that_are_not_given_or_cannot_be_judged_are_named(folder, tmp_path):
    more = (
        "[[ablations]]\nname = 'by loss'\ntables = ['Table 1: <accuracy>']\nscore = { metric = 'log_loss' }\n"
    )
    (folder / "loss.toml").write_text(TOML + more, encoding="utf-8")
    page = tmp_path / "page.md"
    done = invoke(folder / "s.db", "--printed", folder / "loss.toml", "--to", page)
    assert "Ablations" not in page.read_text(encoding="utf-8")
    assert WITHOUT_ABLATIONS in done.stdout.splitlines()
    line = "The ablation 'by loss' is not judged, since "
    assert line in done.stdout
    given = ("--ablations", folder / "turned.db")
    invoke(folder / "s.db", "--printed", folder / "loss.toml", *given, "--to", page)
    assert line in page.read_text(encoding="utf-8").split("## Ablations")[1].split("## Study of")[0]
    more = more.replace("log_loss", "quadratic_loss")
    (folder / "loss.toml").write_text(TOML + more, encoding="utf-8")
    found = Reproduction.of(
        load(folder / "s.db"), Printed.from_toml(folder / "loss.toml"), load(folder / "turned.db")
    )
    rows = tables_of(reproduction_document(found))["What each ablation moves"].rows
    assert [row[:2] for row in rows] == [("tree__stump", "tree"), ("by loss", "all")]


@pytest.mark.slow
def test_a_study_that_is_not_finished_says_so(folder, tmp_path):
    shutil.copy(folder / "s.db", tmp_path / "part.db")
    with closing(sqlite3.connect(tmp_path / "part.db")) as connection, connection:
        # A place of the first table, by all learners, is lacking.
        cut = "WHERE source = ? AND replicate = 0"
        connection.execute(f"UPDATE cells SET state = 'pending' {cut}", (IRIS,))
        connection.execute(
            "UPDATE cells SET state = 'failed', message = 'ValueError: no' "
            "WHERE source = ? AND replicate = 1 AND learner = 'tree'",
            (IRIS,),
        )
        connection.execute("DELETE FROM scores WHERE cell IN (SELECT cell FROM cells WHERE state != 'done')")
    page = tmp_path / "page.md"
    done = invoke(tmp_path / "part.db", "--printed", folder / "printed.toml", "--to", page)
    (line,) = [line for line in done.stdout.splitlines() if "2 cells of 32" in line]
    assert "1 failed" in line
    assert line in page.read_text(encoding="utf-8").split("## Counts")[0]
    full = Reproduction.of(load(folder / "s.db"), Printed.from_toml(folder / "printed.toml"))
    assert list(unfinished(full)) == []
    other = Reproduction.of(load(folder / "s.db"), full.printed)
    other = replace(other, ablations=load(tmp_path / "part.db"))
    assert list(unfinished(other)) == [line.replace("study", "study of the ablations")]


def with_verdicts(found, expected, **numbers):
    """Return a reproduction whose cells of the first table are so many of each verdict."""
    verdicts = [word for word, n in numbers.items() for _ in range(n)]
    cells = found.cells.iloc[[0] * len(verdicts)].assign(
        verdict=verdicts, by_chance=expected / len(verdicts), dataset=[f"d{i}" for i in range(len(verdicts))]
    )
    return replace(found, cells=cells.reset_index(drop=True))


def test_the_sentence_has_the_counts(found):
    said = sentence(with_verdicts(found, 0.1, agree=1, near=1, differ=1))
    for fact in (
        PAPER,
        "3 judged cells",
        "1 agrees",
        "1 differs by less than 0.02 (33%)",
        "0 cannot be judged",
    ):
        assert fact in said
    assert "some 5" in sentence(with_verdicts(found, 4.6, agree=89, differ=9, unknown=5))


def test_thresholds_are_said_with_their_unit(found):
    first, second = found.printed.tables
    tables = (replace(first, scale="percent"), second)
    assert "differ by less than 0.02 or 2 points of per cent" in sentence(
        replace(found, printed=replace(found.printed, tables=tables))
    )


def invoke(*arguments):
    return CliRunner().invoke(app, ["reproduce", *map(str, arguments)])


@pytest.mark.slow
def test_the_command_prints_the_counts_and_one_sentence_and_writes_pages(folder, found, tmp_path):
    page = tmp_path / "page.md"
    done = invoke(
        folder / "s.db",
        "--printed",
        folder / "printed.toml",
        "--ablations",
        folder / "turned.db",
        "--to",
        page,
    )
    assert done.exit_code == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split("  ")[0] for line in lines[:5]] == [
        "table", "Table 1: <accuracy>", "Table 2", "score cells", "all",
    ]  # fmt: skip
    words = ("cells", "agree", "near", "differ", "unknown")
    assert lines[4].split()[1:6] == [f"{found.total[word]:.0f}" for word in words]
    assert lines[5] == RULE
    assert lines[6].startswith(f"Of the 7 judged cells of {PAPER} (7 score cells), ")
    assert lines[7:] == [f"page: {page}"]
    assert "## Ablations" in page.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_command_compares_with_a_store_of_before_whose_keys_were_others(folder, tmp_path):
    compared(
        {"old": DecisionTreeClassifier(max_depth=1, random_state=1), "nb": NaiveBayesClassifier()},
        tmp_path / "old.db",
    )
    text = TOML.replace('"Tree" = "tree"', '"Tree" = "old"')
    (folder / "old.toml").write_text(text, encoding="utf-8")
    page = tmp_path / "page.md"
    given = ("--before", tmp_path / "old.db", "--before-printed", folder / "old.toml")
    done = invoke(folder / "s.db", "--printed", folder / "printed.toml", *given, "--to", page)
    assert done.exit_code == 0, done.stderr
    lines = done.stdout.splitlines()
    start = lines.index("Before and after")
    assert [line.split("  ")[0] for line in lines[start + 1 : start + 4]] == [
        "table", "all", "Table 1: <accuracy>",
    ]  # fmt: skip
    assert "**Before and after, by learner**" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--to", "page.txt"], "expected .html, .md, .tex"),
        (["--ablations", "nowhere.db"], "there is no store nowhere.db"),
    ],
)
def test_bad_options_are_reported_in_one_sentence(folder, options, said):
    done = invoke(folder / "s.db", "--printed", folder / "printed.toml", *options)
    assert done.exit_code == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_what_is_written_around_the_marks_stays(found, tmp_path):
    page = tmp_path / "notes.md"
    page.write_text(f"# By hand\n\n{START}\nof before\n{END}\n\nby hand too\n", encoding="utf-8")
    once = write_reproduction(found, page).read_text(encoding="utf-8")
    assert once.startswith(f"# By hand\n\n{START}\n\nThe study ")
    assert f"{END}\n\nby hand too\n\n<!-- ablations -->\n\n## Ablations\n" in once
    assert "of before" not in once.split(START)[1].split("## Every cell")[0]
    assert re.findall("^# .*$", once.split("```")[0], flags=re.MULTILINE) == ["# By hand"]
    assert write_reproduction(found, page).read_text(encoding="utf-8") == once


ABLATIONS = ("<!-- ablations -->", "<!-- ablations end -->")


def region(text, start=ABLATIONS[0], end=ABLATIONS[1]):
    """Return what stands between two markers that are there once."""
    assert text.count(start) == text.count(end) == 1
    return text.split(start)[1].split(end)[0]


@pytest.fixture
def without_pictures(monkeypatch):
    """Save no figures: they take longer than all else of a page."""
    monkeypatch.setattr("workbench.report.renderers.markdown.save_pictures", lambda *_: "figures")


@pytest.mark.usefixtures("without_pictures")
@pytest.mark.parametrize("page", [f"# By hand\n\n{START}\n{END}\n\nby hand too\n", ""])
def test_a_page_without_ablations_keeps_those_that_stand_in_it(found, tmp_path, page):
    place = tmp_path / "notes.md"
    place.write_text(page, encoding="utf-8")
    without = replace(found, ablations=None, unjudged=())
    text = write_reproduction(without, place).read_text(encoding="utf-8")
    assert "ablation" not in text.lower()
    given = write_reproduction(found, place).read_text(encoding="utf-8")
    assert text.rstrip() in given
    own = region(given)
    for words in ("## Ablations", "What each ablation moves", "## Study of ablations"):
        assert own.count(words) == given.count(words) > 0
    changed = with_verdicts(without, 0, agree=1)
    kept = write_reproduction(changed, place).read_text(encoding="utf-8")
    assert "Of the 1 judged cell of " in kept
    assert region(kept) == own
    assert write_reproduction(found, place).read_text(encoding="utf-8") == given
    assert write_reproduction(found, place, before=changed).read_text(encoding="utf-8").startswith(given)


@pytest.mark.usefixtures("without_pictures")
def test_verdicts_before_and_after_are_a_section_that_stays(found, tmp_path):
    before = with_verdicts(found, 0, near=1)
    before = replace(before, cells=before.cells.assign(difference=-0.01))
    document = reproduction_document(found, before)
    assert document.sections[-1].title == "Before and after"
    tables = tables_of(document)
    (whole, own) = tables["Before and after"].rows
    assert tables["Before and after"].columns[:4] == ("table", "cells", "agree before", "agree after")
    after = [int(found.cells["verdict"][0] == word) for word in ("agree", "near", "differ")]
    assert sum(after) == 1
    for row in (whole, own):
        assert [cell.value for cell in row[1:8]] == [1, 0, after[0], 1, after[1], 0, after[2]]
    assert (whole[0], whole[8:]) == ("all", ("", ""))
    assert [cell.value for cell in own[8:]] == [0.01, abs(found.cells["difference"][0])]
    assert [row[:2] for row in tables["Before and after, by learner"].rows] == [
        ("all", "NB"), ("Table 1: <accuracy>", "NB"),
    ]  # fmt: skip
    place = tmp_path / "notes.md"
    once = write_reproduction(found, place, before=before).read_text(encoding="utf-8")
    markers = ("<!-- before and after -->", "<!-- before and after end -->")
    assert "**Before and after, by learner**" in region(once, *markers)
    assert write_reproduction(found, place).read_text(encoding="utf-8") == once


@pytest.mark.parametrize("text", [f"{END}\n{START}\n", f"{START}{END}{ABLATIONS[0]}"])
def test_a_page_with_broken_marks_is_refused_and_stays(found, tmp_path, text):
    page = tmp_path / "notes.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(WorkbenchError, match="once"):
        write_reproduction(found, page)
    assert page.read_text(encoding="utf-8") == text
    assert not (tmp_path / "notes_figures").exists()


@pytest.mark.usefixtures("without_pictures")
def test_a_page_of_somebody_else_is_refused_and_stays(found, tmp_path):
    page = tmp_path / "notes.md"
    page.write_text("# My notes\n", encoding="utf-8")
    with pytest.raises(WorkbenchError, match=r"notes\.md"):
        write_reproduction(found, page)
    assert page.read_text(encoding="utf-8") == "# My notes\n"


def test_ablations_on_fewer_splits_are_said_to_be(found, monkeypatch):
    assert not list(few_shared(replace(found, ablations=None)))
    assert not list(few_shared(found))
    monkeypatch.setattr(SharedRows, "places", lambda self, source: self.units.digests(source).index[:3])
    (line,) = few_shared(found)
    n = len(found.results.cells().query("learner == 'nb'")) // found.cells["dataset"].nunique()
    assert f"3 of the {n} splits" in line


def test_between_markers_is_the_same_twice():
    once = between_markers(f"before\n{START}\nold\n{END}\nafter\n", "new\n")
    assert once == f"before\n{START}\n\nnew\n\n{END}\nafter\n"
    assert between_markers(once, "new") == once
    with pytest.raises(WorkbenchError, match="once"):
        between_markers("no markers", "new")


@pytest.mark.process
@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_runs_a_study_and_reproduces_its_paper(tmp_path):
    command = ["make", "-n", "korb2001", "korb2001-ablations", "STORES=stores", "DATA=/data", "JOBS=3"]
    out = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    first, run, reproduce, ablate, again = [
        line for line in out.splitlines() if "/workbench " in line or "--to" in line
    ]
    assert "korb2001/first_reading.toml --store stores/korb2001_first_reading.db --data /data" in first
    assert "run experiments/papers/korb2001/study.toml --store stores/korb2001.db --data /data" in run
    assert "--before stores/korb2001_first_reading.db" in reproduce
    assert "reproduce stores/korb2001.db --printed experiments/papers/korb2001/printed.toml" in reproduce
    assert reproduce.endswith("--to experiments/papers/korb2001/notes.md --to build/papers/korb2001.html")
    assert "run experiments/papers/korb2001/ablations.toml --store stores/korb2001_ablations.db" in ablate
    assert "--ablations stores/korb2001_ablations.db" in again

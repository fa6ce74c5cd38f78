"""The tools that write what the four papers conclude, what was found, and how much is reproduced."""

import importlib
import re
import shutil
import tomllib
from pathlib import Path

import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

import workbench
from learners import NaiveBayesClassifier
from workbench import read_study
from workbench.designs import FiveByTwo
from workbench.report.renderers.markdown import END, START
from workbench.reproduction import Printed

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "experiments" / "tools"
NAMES = ("korb2001", "hope2002", "hope2004_uci", "cleary1996")
PAPER = "Somebody (1999)"
SETS = {"iris": load_iris, "wine": load_wine}


@pytest.fixture(scope="module")
def tool():
    """Import a tool by its name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(TOOLS)
        yield importlib.import_module


class TestRules:
    """Rules on tables written by hand."""

    @pytest.fixture
    def tables(self, tool):
        return tool("conclusions.outcome").Tables

    def test_turned_orders_leave_ties_out(self, tool):
        one = pd.DataFrame({"a": [1.0, 1.0], "b": [2.0, 2.0], "c": [3.0, 2.0]})
        other = pd.DataFrame({"a": [1.0, 3.0], "b": [2.0, 2.0], "c": [0.0, 1.0]})
        # Row 1: a < b stays, a < c and b < c turn. Row 2: a < b and a < c turn, b and c tie in the first.
        assert tool("conclusions.outcome").turned_orders(one, other) == pytest.approx(4 / 5)

    def test_glass_needs_all_three_places(self, tool, tables):
        rule = tool("conclusions.korb2001").glass
        learners = ["c45", "mml_tree", "mml_graph", "nb", "stump"]
        frames = {
            "Table 1: accuracy": [0.66, 0.62, 0.61, 0.63, 0.56],
            "Table 2: information reward": [-0.8, 0.0, 0.0, 0.1, -0.1],
            "Table 3: miscalibration": [0.9, 0.5, 0.5, 0.4, 0.7],
        }
        means = {name: pd.DataFrame([row], ["GL"], learners) for name, row in frames.items()}
        assert rule(tables(means)) == (True, "rank 1 of 5 by accuracy, 5 by reward, 1 by miscalibration")
        means["Table 1: accuracy"].loc["GL", "nb"] = 0.7
        assert not rule(tables(means)).holds

    def test_worst_on_counts_all_three_winners(self, tool, tables):
        hope = tool("conclusions.hope2002")
        pair = tool("conclusions.outcome").Pair
        rule = hope.worst_on("Table 3", "CH")
        wins = {pair("CH", key, "nb") for key in hope.OTHERS}
        assert rule(tables(wins={"Table 3": frozenset(wins)})).holds
        wins.discard(pair("CH", "camml", "nb"))
        assert not rule(tables(wins={"Table 3": frozenset(wins)})).holds

    def test_the_curve_of_1996_is_the_formula(self, tool, tables):
        cleary = tool("conclusions.cleary1996")
        bits = cleary.analytic_significance(cleary.N_TEST, cleary.MAJORITY, cleary.N_TEST * 0.99)
        columns = [*cleary.SINGLE, *cleary.SEVERAL]
        means = {
            cleary.CORRECT: pd.DataFrame([[99.0] * 6], ["CH"], columns),
            cleary.BITS: pd.DataFrame([[bits] * 4 + [bits / 2, bits]], ["CH"], columns),
        }
        assert cleary.on_the_curve(tables(means), 0.01).holds
        assert not cleary.departing(tables(means), 0.1).holds  # Induct's disjunctions lie on it
        means[cleary.BITS].loc["CH", "induct_dnf"] = bits * 1.2
        assert cleary.departing(tables(means), 0.1).holds
        assert not cleary.departing(tables(means), 0.3).holds


@pytest.fixture(scope="module")
def readings(tool, tmp_path_factory):
    """Make a paper with two readings: the second has another naive Bayes."""
    folder = tmp_path_factory.mktemp("papers")
    paper = folder / "papers" / "s"
    paper.mkdir(parents=True)
    on = {name: load(return_X_y=True, as_frame=True) for name, load in SETS.items()}
    tree = DecisionTreeClassifier(max_depth=2, random_state=1)
    first, second = (NaiveBayesClassifier(numeric=word) for word in ("gaussian", "mdlp"))
    studies = {
        "s_first_reading": {"nb": first, "tree": tree},
        "s": {"nb": second, "tree": tree},
        "s_ablations": {"nb": second, "nb__gaussian": first},
    }
    for store, learners in studies.items():
        workbench.compare(
            learners,
            on=on,
            metrics=("accuracy",),
            design=FiveByTwo(),
            store=folder / f"{store}.db",
            progress=False,
        )
    (paper / "printed.csv").write_text(
        "dataset,learner,value,half\niris,NB,0.94,0.05\niris,Tree,0.93,0.05\nwine,NB,0.97,0.05\nwine,Tree,0.60,0.05\n"
    )
    (paper / "wins.csv").write_text("dataset,winner,loser\nwine,NB,Tree\n")
    (paper / "printed.toml").write_text(
        f"""
        paper = "{PAPER}"
        [learners]
        NB = "nb"
        Tree = "tree"
        [[tables]]
        name = "Table 1: accuracy"
        file = "printed.csv"
        columns = {{ dataset = "dataset", learner = "learner", value = "value" }}
        statistic = "mean"
        metric = "accuracy"
        units = 5
        unit = "replication"
        [[tables]]
        name = "Table 2: tests"
        file = "wins.csv"
        columns = {{ dataset = "dataset", winner = "winner", loser = "loser" }}
        statistic = "significance"
        metric = "accuracy"
        among = "printed.csv"
        missing = "none"
        """
    )
    (paper / "findings.toml").write_text(
        """
        [[findings]]
        cause = "numbers are cut"
        how = "search"
        when = "2026-11-01"
        identified = { tables = ["Table 1: accuracy"], learners = ["nb"], datasets = ["iris"] }
        checked = { tables = ["Table 1: accuracy"], learners = ["nb"], datasets = ["wine"] }
        touches = { learners = ["nb"] }
        without = ["nb__gaussian"]
        """
    )
    (paper / "notes.md").write_text(
        "".join(f"<!-- {word} -->\n<!-- {word} end -->\n" for word in ("conclusions", "found", "undone"))
    )
    return folder


@pytest.fixture
def second(tool, readings, monkeypatch):
    """The tool, on that paper, whose conclusions are two rules."""
    outcome, module = tool("conclusions.outcome"), tool("second_reading")
    better = outcome.Conclusion(
        "Naive Bayes is better on wine.",
        "section 1",
        "its mean is greater",
        lambda t: outcome.Answer(bool(t.means["Table 1"].loc["wine"].idxmax() == "nb"), "as seen"),
    )
    tested = outcome.Conclusion(
        "Significantly so.",
        "section 2",
        "the test says so",
        lambda t: outcome.Answer(outcome.Pair("wine", "nb", "tree") in t.wins["Table 2"], ""),
    )
    closed = outcome.Conclusion("On lost data, too.", "section 3", "there are none", None, "a figure")
    monkeypatch.setattr(module, "PAPERS", readings / "papers")
    monkeypatch.setattr(
        module, "import_module", lambda name: type("M", (), {"CONCLUSIONS": (better, tested, closed)})
    )
    return module


@pytest.mark.slow
def test_conclusions_are_judged_on_all_three_tables(second, readings):
    found = second.Readings.of("s", readings).verdicts[1]
    better, tested, closed = found
    assert (better.printed, better.ours, better.share) == (True, True, 1.0)
    assert tested.printed is True
    assert 0.0 <= tested.share <= 1.0
    assert (closed.printed, closed.ours) == (None, None)
    counts = second.held(found, True)
    assert (counts.ours, counts.judged) == (1 + (tested.ours is True), 2)
    assert counts.small == 1 + (tested.ours is True and tested.share > 0.5)
    assert second.held(found, False) == second.held(found, None) == (0, 0, 0)


@pytest.mark.slow
def test_both_sections_are_written_and_the_rest_stays(second, readings, tmp_path):
    shutil.copytree(readings / "papers", tmp_path / "papers")
    page = tmp_path / "papers" / "s" / "notes.md"
    both = second.Readings.of("s", readings)
    second.write(both, None, page)
    text = page.read_text()
    assert "| Naive Bayes is better on wine. (section 1) | its mean is greater | **yes**: as seen |" in text
    assert "there are none | not judged: a figure | not judged | not judged |  | no limit |" in text
    (row,) = [
        line for line in text.splitlines() if line.startswith("| numbers are cut | search, 2026-11-01 |")
    ]
    assert [cell.strip() for cell in row.strip("| ").split("|")][2] == "1"
    assert "<!-- undone -->\n<!-- undone end -->" in text


@pytest.mark.slow
def test_a_setting_undone_alone_has_the_cells_of_the_first_reading(second, readings, tmp_path):
    shutil.copytree(readings / "papers", tmp_path / "papers")
    page = tmp_path / "papers" / "s" / "notes.md"
    both = second.Readings.of("s", readings)
    second.write(both, workbench.load(readings / "s_ablations.db"), page)
    rows = [
        line.strip("| ").split(" | ") for line in page.read_text().splitlines() if "numbers are cut" in line
    ]
    found, undone = rows
    assert undone[1] == "nb__gaussian"
    assert undone[2:-1] == found[2:]  # nothing else differs between both readings
    assert undone[-1] == "none"


class TestPages:
    """The long table and the rows of the papers."""

    @pytest.fixture
    def papers(self, tool, second, readings, tmp_path, monkeypatch):
        shutil.copytree(readings / "papers", tmp_path / "papers")
        module = tool("papers")
        row = module.Row({"Table 1: accuracy": "accuracy"}, "little")
        monkeypatch.setattr(module, "NAMES", ("s",))
        monkeypatch.setattr(module, "ROWS", {"s": row})
        return module

    def run(self, papers, monkeypatch, stores, folder):
        text = f"mine\n{START}\nof before\n{END}\n<!-- papers -->\n<!-- papers end -->\n"
        (folder / "page.md").write_text(text)
        words = ["--stores", stores, "--to", folder / "page.md", "--papers", folder / "papers"]
        monkeypatch.setattr("sys.argv", ["papers.py", *map(str, words)])
        return papers.main()

    @pytest.mark.slow
    def test_every_table_and_total_has_both_readings(self, papers, second, readings, tmp_path, monkeypatch):
        assert self.run(papers, monkeypatch, readings, tmp_path) == 0
        table, papers_rows = (tmp_path / "page.md").read_text().split("<!-- papers -->")
        lines = [line for line in table.splitlines() if line.startswith("|")]
        both = second.Readings.of("s", readings)
        labels = [line.split("|")[2].strip() for line in lines if "**" in line]
        assert labels == [f"**{name}**" for name in both.second.totals.index]
        own = next(line for line in lines if "Table 1: accuracy |" in line).strip("| ").split(" | ")
        counts = both.second.counts.loc["Table 1: accuracy"]
        before = both.first.counts.loc["Table 1: accuracy", "agree"]
        words = ("agree", "near", "differ", "unknown")
        assert [int(cell) for cell in own[2:8]] == [4, before, *(int(counts[word]) for word in words)]
        (row,) = [line for line in papers_rows.splitlines() if PAPER in line]
        assert f"then {both.second.totals.loc['score cells', 'agree']:.0f} of 4" in row
        assert (
            f"| {both.counted(by_search=True).first}, then {both.counted(by_search=True).second} of 2 |"
            in row
        )
        assert row.endswith("| little |")


def test_the_readme_counts_the_cells_of_the_papers_page():
    page = (ROOT / "docs" / "studies" / "papers.md").read_text(encoding="utf-8")
    rows = page.partition("<!-- papers -->")[2].partition("<!-- papers end -->")[0]
    cells = [
        found.groups() for found in re.finditer(r"^\| \[.*?\) \| (\d+), then (\d+) of (\d+) \|", rows, re.M)
    ]
    assert len(cells) == len(NAMES)
    first, second, n = (f"{sum(map(int, column)):,}" for column in zip(*cells, strict=True))
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    for agree in (first, second):
        assert f"{agree} of {n} published scores" in readme


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_findings_name_cells_of_the_paper(name, shared):
    folder = ROOT / "experiments" / "papers" / name
    study, ablations = (read_study(folder / f"{word}.toml", data=shared) for word in ("study", "ablations"))
    printed = Printed.from_toml(folder / "printed.toml")
    known = {
        "tables": {table.name for table in printed.tables},
        "learners": {spec.key for spec in study.learners},
        "datasets": {source.key for source in study.sources},
    }
    for one in tomllib.loads((folder / "findings.toml").read_text(encoding="utf-8"))["findings"]:
        assert one["how"].startswith(("text", "search"))
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", one["when"])
        assert set(one.get("without", ())) <= {spec.key for spec in ablations.learners}
        for part in (one["identified"], one["checked"], one["touches"]):
            for word, values in part.items():
                assert set(values) <= known[word]
        assert one["identified"] != one["checked"]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_both_readings_are_of_one_paper(name, shared):
    folder = ROOT / "experiments" / "papers" / name
    first, second, ablations = (
        read_study(folder / f"{word}.toml", data=shared) for word in ("first_reading", "study", "ablations")
    )
    for other in (second, ablations):
        assert other.seed == first.seed
        assert {source.key for source in other.sources} == {source.key for source in first.sources}
    assert [one.key for one in second.learners] == [one.key for one in first.learners]
    assert second.design == first.design
    by_key = {one.key: one.identity for one in ablations.learners}
    for one in second.learners:
        if one.key in by_key:
            assert by_key[one.key] == one.identity

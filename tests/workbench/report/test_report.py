"""Reports: pages that parse, names that are escaped, numbers that are the analyses', studies of any kind."""

import importlib.util
import re
import shutil
import sqlite3
import subprocess
from base64 import b64encode
from dataclasses import astuple, replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import workbench
from workbench.analyses import (
    BestMap,
    Comparison,
    Means,
    Variance,
    Verdict,
    comparisons_of,
    paired_scores,
)
from workbench.base.errors import WorkbenchError
from workbench.base.names import LEARNERS, learner_name
from workbench.comparisons import detectable_difference
from workbench.figures import FIGURES
from workbench.report import write_report
from workbench.report.content import gather
from workbench.report.table import Number, Table

EXACT = ("ir_b", "marginal", "exact", "none")
SAMPLED = ("ir_b", "marginal", "test", "none")
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
NAMES = ['<b>&"x"</b>', "a_b%$#{}~^\\|*c", "[näïve](µ)", "*_`q`_ &amp;"]
STUDY = '<script>alert("1")</script> & Söhne_1'
SOURCES = ["50% <tan> & co", "50% <tan>; co"]
N_PICTURES = 2 * (len(FIGURES) - 1) + 1  # of a study without sampled scores: the map is of both sources


class Page(HTMLParser):
    """Read a page, and find tags that are not closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.numbers: dict[str, dict[str, float]] = {}
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.look(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.look(tag, attrs)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.getpos())

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style", "script"):
            self.words.append(data)

    def look(self, tag, attrs):
        attributes = dict(attrs)
        for name, value in attrs:
            self.attributes.append((tag, name, value or ""))
            self.targets += re.findall(r"url\(#([^)]*)\)", value or "")
            if name in ("href", "xlink:href") and value.startswith("#"):
                self.targets.append(value[1:])
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if "data-name" in attributes:
            assert attributes["data-name"] not in self.numbers
            parts = [part for part in ("value", "low", "high") if f"data-{part}" in attributes]
            self.numbers[attributes["data-name"]] = {
                part: float(attributes[f"data-{part}"]) for part in parts
            }

    def check(self) -> "Page":
        """Make sure that all is closed, identifiers are different, and links lead somewhere."""
        assert self.open == []
        assert len(set(self.ids)) == len(self.ids)
        assert set(self.targets) <= set(self.ids)
        for _, name, value in self.attributes:
            if name == "data-value":
                float(value)
        return self


def written(results, path: Path) -> str:
    assert write_report(results, path) == path
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page_file(small, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "new" / "small.html"
    written(small, path)
    return path


@pytest.fixture(scope="module")
def page(page_file):
    return Page(page_file.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def odd(made_up):
    """Return results whose names hold what HTML, Markdown and LaTeX take for their own."""
    rng = np.random.default_rng(1)
    scores = {key: rng.normal(size=(3, 1)) + i for i, key in enumerate(NAMES)}
    two = {key: scores[key] for key in NAMES[:2]}
    return made_up({SOURCES[0]: scores, SOURCES[1]: two}, sizes=(50,), keys=(EXACT,), name=STUDY)


@pytest.fixture(scope="module")
def odd_reports(odd, tmp_path_factory):
    """Write all three forms in one go."""
    folder = tmp_path_factory.mktemp("odd")
    paths = [folder / f"re port.{ending}" for ending in ("html", "md", "tex")]
    assert write_report(odd, *paths) == paths[0]
    return {path.suffix: path for path in paths}


# The page


@pytest.mark.slow
def test_a_page_parses_and_its_links_lead_somewhere(page):
    page.check()
    assert len(page.ids) > 100
    assert "scores" in page.targets


@pytest.mark.slow
def test_a_page_needs_no_network_and_no_other_file(page, page_file):
    text = page_file.read_text(encoding="utf-8")
    spaces = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert set(re.findall(r"https?://[^\s\"'<>]*", text)) <= spaces
    assert "@import" not in text
    for tag, name, value in page.attributes:
        assert tag not in ("link", "iframe", "object", "embed", "img", "base")
        assert name != "src"
        if name in ("href", "xlink:href"):
            assert value.startswith("#")
    assert [child.name for child in page_file.parent.iterdir()] == ["small.html"]


@pytest.mark.slow
def test_a_page_lets_no_script_run_but_its_own_and_loads_nothing(page, page_file):
    text = page_file.read_text(encoding="utf-8")
    (script,) = re.findall(r"<script>(.*?)</script>", text, flags=re.DOTALL)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    (policy,) = [
        value for tag, name, value in page.attributes if (tag, name) == ("meta", "content") and ";" in value
    ]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules == {
        "default-src": "'none'",
        "script-src": f"'sha256-{digest}'",
        "style-src": "'unsafe-inline'",  # pictures have styles on their parts
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert text.index("Content-Security-Policy") < text.index("<style>")


@pytest.mark.slow
def test_the_answer_of_a_page_is_that_of_the_results(page, small):
    said = " ".join(" ".join(page.words).split())
    tests = comparisons_of(small)
    verdict = Verdict.of(tests)
    for part in (*verdict.brief, f"each leader against the next best: {verdict.surety}"):
        assert part in re.sub(r" (?=[;.,])", "", said)
    for lead in (lead for one in tests for lead in one.standings):
        verb = "wins" if lead.wins else "leads"
        ends = f"[{lead.low:.4f}, {lead.high:.4f}]".replace("-", "\u2212")
        first, second = map(learner_name, (lead.leader, lead.runner_up))
        assert f"{first} {verb}, ahead of {second} {lead.gap:.4f} {ends}" in said


def test_the_p_value_of_a_lead_is_that_of_its_pair(small):
    for one in comparisons_of(small):
        for lead in one.standings:
            pair = one.table[one.table["n_train"] == lead.n_train].set_index(["learner", "other"])
            places = [(lead.leader, lead.runner_up), (lead.runner_up, lead.leader)]
            (own,) = [pair.loc[place] for place in places if place in pair.index]
            assert (lead.p, lead.gap) == (own["p_holm"], pytest.approx(abs(own["difference"])))


def test_every_number_of_a_page_is_the_analyses(page, small):
    expected: dict[str, list[float]] = {}
    for score in ("ir_b/marginal/exact/none", "ir_b/training/test/none"):
        for one in paired_scores(small, score=score):
            place = "|".join((*one.score, one.source))
            for row in Means.of(one).table.itertuples():
                expected[f"mean|{place}|{row.learner}|{row.n_train}"] = [row.mean, row.low, row.high]
            for effect, row in Variance.of(one).table.iterrows():
                for name in ("F", "p", "epsilon_gg", "p_gg", "epsilon_hf", "p_hf", "eta2_g"):
                    expected[f"{name}|{place}|{effect}"] = [row[name]]
            if one.score.rows == "exact":
                for row in Comparison.of(one).table.itertuples():
                    words = f"{place}|{row.learner}|{row.other}|{row.n_train}"
                    expected[f"difference|{words}"] = [row.difference, row.low, row.high]
                    expected[f"p_holm|{words}"] = [row.p_holm]
                    expected[f"detectable|{words}"] = [row.detectable]
    exact = paired_scores(small, score="ir_b/marginal/exact")
    for row in BestMap.of(exact).table.itertuples():
        for learner, p in ((row.best, row.p_best), (row.second, row.p_second)):
            expected[f"p_best|{'|'.join(EXACT)}|{row.source}|{learner}|{row.n_train}"] = [p]
    assert {name: list(parts.values()) for name, parts in page.numbers.items()} == expected


def test_the_wins_are_those_of_the_tests(small):
    table = next(
        part
        for section in gather(small).sections
        for part in section.parts
        if isinstance(part, Table) and part.title == "Wins, ties, losses"
    )
    differences = small.differences().replace(dict(LEARNERS))
    for row in table.rows:
        wins = ties = losses = 0
        for d in differences[
            (differences["learner"] == row[0]) | (differences["other"] == row[0])
        ].itertuples():
            ahead = (d.difference > 0) == (d.learner == row[0])
            ties += d.p_holm >= 0.05
            wins += d.p_holm < 0.05 and ahead
            losses += d.p_holm < 0.05 and not ahead
        assert row[-2] == f"{wins}/{ties}/{losses}"
        # as tuples, since NaN equals NaN there
        np.testing.assert_equal(astuple(row[-1]), astuple(Number(wins - losses, form="signed")))


def test_wins_of_a_sure_winner_are_counted(made_up):
    noise = 0.01 * np.random.default_rng(1).normal(size=(6, 2))
    results = made_up({"tan": {"good": noise + 1, "bad": noise[::-1], "same": noise[::-1] + noise**2}})
    tables = [
        part for section in gather(results).sections for part in section.parts if isinstance(part, Table)
    ]
    rows = next(table for table in tables if table.title == "Wins, ties, losses").rows
    assert [row[:4] for row in rows] == [
        ("good", "", "2/0/0", "2/0/0"),
        ("bad", "0/0/2", "", "0/2/0"),
        ("same", "0/0/2", "0/2/0", ""),
    ]
    assert [row[-1].value for row in rows] == [4, -2, -2]
    better = next(table for table in tables if "better" in table.columns or "pair" in table.columns)
    assert [row[5] for row in better.rows] == ["good", "good", "\u2013"] * 2
    assert better.columns[-2:] == ("detectable [bits]", "together")
    assert all(row[-1].value > row[-2].value for row in better.rows)
    # Six tests share the 5%: what each finds with 80% power, by the definition.
    (one,) = paired_scores(results)
    spread = Comparison.of(one).table["sd"].iloc[0]
    assert better.rows[0][-1].value == pytest.approx(detectable_difference(spread, 6, alpha=0.05 / 6))


# The second computation


@pytest.fixture(scope="module")
def recompute():
    place = Path(__file__).resolve().parents[3] / "experiments" / "tools" / "recompute_report.py"
    spec = importlib.util.spec_from_file_location("recompute_report", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_second_computation_finds_the_same_numbers(recompute, small_store, page_file, capsys):
    assert recompute.main(small_store, page_file) == 0
    n, different = re.findall(r"(\d+) numbers recomputed, (\d+) different", capsys.readouterr().out)[0]
    assert int(n) > 100
    assert different == "0"


@pytest.mark.parametrize("kind", ["mean", "F"])
def test_the_second_computation_finds_a_number_that_was_altered(
    recompute, small_store, page_file, tmp_path, capsys, kind
):
    text = page_file.read_text(encoding="utf-8")
    digits = re.compile(rf'data-value="(\S+)" data-name="{kind}\|')
    value = float(digits.search(text)[1])
    altered = digits.sub(f'data-value="{value * 1.000001!r}" data-name="{kind}|', text, count=1)
    (tmp_path / "altered.html").write_text(altered, encoding="utf-8")
    assert recompute.main(small_store, tmp_path / "altered.html") == 1
    out = capsys.readouterr().out
    assert f"DIFFERENT: {kind}|" in out
    assert ", 1 different" in out


@pytest.mark.slow
def test_the_second_computation_leaves_out_the_replicates_of_failed_cells(
    recompute, small_store, tmp_path, capsys, sketched
):
    store, page = tmp_path / "failed.db", tmp_path / "failed.html"
    shutil.copy(small_store, store)
    connection = sqlite3.connect(store)
    place = "learner = 'tan' AND source = 'tan' AND replicate = 2 AND n_train = 20"
    (cell,) = (number for (number,) in connection.execute(f"SELECT cell FROM cells WHERE {place}"))
    with connection:
        connection.execute("UPDATE cells SET state = 'failed', message = 'it broke' WHERE cell = ?", (cell,))
        connection.execute("DELETE FROM scores WHERE cell = ?", (cell,))
    connection.close()
    text = written(workbench.load(store), page)
    assert "TAN has no score on 1" in text
    assert recompute.main(store, page) == 0
    n, different = re.findall(r"(\d+) numbers recomputed, (\d+) different", capsys.readouterr().out)[0]
    assert int(n) > 100
    assert different == "0"


# Names


@pytest.mark.slow
def test_names_in_a_page_are_text(odd_reports):
    text = odd_reports[".html"].read_text(encoding="utf-8")
    page = Page(text).check()
    assert "alert(" not in re.search(r"<script>(.*?)</script>", text, flags=re.DOTALL)[1]
    assert text.count("<script>") == 1
    assert "<b>&" not in text
    assert "<tan>" not in text
    words = {word.strip() for word in page.words}
    assert set(NAMES) <= words
    assert any(STUDY in word for word in words)
    assert {name.split("|")[1] for name in page.numbers} == {"ir_b"}
    labels = [value for _, name, value in page.attributes if name == "aria-label"]
    assert any(SOURCES[0] in label for label in labels)


def unescaped(text: str) -> str:
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)


def cells_of(line: str) -> list[str]:
    parts = re.split(r"(?<!\\)\|", line.replace("\\\\", "\0"))
    return [unescaped(part.strip()).replace("\0", "\\") for part in parts][1:-1]


@pytest.mark.slow
def test_tables_of_markdown_have_as_many_cells_in_each_row(odd_reports):
    text = odd_reports[".md"].read_text(encoding="utf-8")
    prose = re.sub(r"(?ms)^(`{3,})\n.*?^\1$", "", text)
    tables = re.findall(r"(?m)(?:^\|.*\n)+", prose + "\n")
    assert len(tables) > 8
    for table in tables:
        counts = {len(cells_of(line)) for line in table.splitlines()}
        assert len(counts) == 1, table
    first = {cells_of(line)[0] for line in tables[0].splitlines()}
    assert set(NAMES) <= first


@pytest.mark.slow
def test_the_figures_that_markdown_shows_are_there(odd_reports):
    path = odd_reports[".md"]
    links = re.findall(r"!\[.*\]\((\S+?)\)", path.read_text(encoding="utf-8"))
    assert (
        len(links) == len(set(links)) == N_PICTURES
    )  # sources whose words are the same have files of their own
    for link in links:
        assert (path.parent / link.replace("%20", " ")).read_text(encoding="utf-8").startswith("<?xml")


@pytest.mark.slow
def test_latex_is_balanced_and_its_figures_are_there(odd_reports):
    path = odd_reports[".tex"]
    text = path.read_text(encoding="utf-8")
    body = re.sub(r"(?s)\\begin\{verbatim\}.*?\\end\{verbatim\}", "", text)
    bare = re.sub(r"\\[\\{}%&$#_]", "", body)
    depth = 0
    for letter in bare:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        assert depth >= 0
    assert depth == 0
    opened: list[str] = []
    for what, name in re.findall(r"\\(begin|end)\{(\w+)\}", body):
        opened.append(name) if what == "begin" else None
        assert what == "begin" or opened.pop() == name
    assert opened == []
    assert "%" not in bare
    assert "#" not in bare
    figures = re.findall(r"\\includegraphics\[.*?\]\{(.*?)\}", text)
    assert len(figures) == len(set(figures)) == N_PICTURES
    for figure in figures:
        assert (path.parent / figure).read_bytes().startswith(b"%PDF")


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.skipif(not shutil.which("pdflatex"), reason="no pdflatex here")
def test_latex_compiles(odd_reports):
    path = odd_reports[".tex"]
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", path.name]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-3000:]
    assert path.with_suffix(".pdf").read_bytes().startswith(b"%PDF")


# Studies of any kind

TWO = {"nb": [[0.1, 0.5], [0.2, 0.4], [0.3, 0.3]], "tan": [[0.2, 0.7], [0.1, 0.6], [0.4, 0.9]]}
PRIOR = {"prior": [[0.0, 0.0]] * 3, "truth": [[0.9, 0.9]] * 3}
INFINITE = [[-np.inf, 0.1]] * 3
KINDS = {
    "one replicate": ({"tan": {k: v[:1] for k, v in TWO.items()}}, {}, "one truth of each kind"),
    "one learner": ({"tan": {"nb": TWO["nb"], **PRIOR}}, {}, "The only learner is naive Bayes"),
    "failed cells": (
        {"tan": {"nb": TWO["nb"], "tan": [[0.2, np.nan], *TWO["tan"][1:]]}},
        {},
        "Some TAN truths are left out for every learner: TAN has no score on 1.",
    ),
    "infinite": (
        {"tan": {**TWO, "cart": INFINITE}},
        {},
        "CART is not compared on TAN truths: its score is infinite in 3",
    ),
    "all infinite": (
        {"tan": {"nb": INFINITE, "tan": INFINITE}},
        {},
        "infinite in 3 cells (score 'ir_b/marginal/exact/2002' is finite)",
    ),
    "no exact": ({"tan": {**TWO, **PRIOR}}, {"keys": (SAMPLED,)}, "By IR_B (test rows, marginal prior)"),
    "lower is better": (
        {"tan": TWO},
        {"keys": (("log_loss", "none", "exact", "none"),)},
        "By log loss (exact)",
    ),
    "one of two": ({"odd": {"nb": TWO["nb"]}, "tan": TWO}, {}, "on TAN truths"),
}


@pytest.mark.slow
@pytest.mark.parametrize("scores, options, words", KINDS.values(), ids=KINDS)
def test_a_study_of_any_kind_has_a_report(made_up, tmp_path, sketched, scores, options, words):
    text = written(made_up(scores, **options), tmp_path / "r.html")
    page = Page(text).check()
    said = " ".join(" ".join(page.words).split())
    assert words in said
    assert " nan" not in said
    assert "inf bits" not in said


def test_a_study_whose_cells_all_failed_has_no_report(made_up, tmp_path):
    results = made_up({"tan": {"nb": [[np.nan]], "tan": [[np.nan]]}}, sizes=(50,))
    with pytest.raises(WorkbenchError, match="all 2 cells failed: it broke"):
        write_report(results, tmp_path / "r.html")
    assert list(tmp_path.iterdir()) == []


# Checks that the report makes


def checks(results) -> dict[str, str]:
    tables = [
        part for section in gather(results).sections for part in section.parts if isinstance(part, Table)
    ]
    return dict(next(table for table in tables if table.title == "What was checked").rows)


def test_the_checks_find_what_is_wrong(made_up):
    above = {**TWO, "prior": [[0.15, 0.0]] * 3, "truth": [[0.35, 0.8]] * 3}
    found = checks(made_up({"tan": {**above, "late": [[np.nan, 0.1]] * 3}}, compared=("nb", "tan")))
    assert found["every cell has its scores"] == "30 cells: 27 done, 3 failed"
    assert found["every learner had the same test rows"] == "yes, by hash, for 3 truths"
    assert found["no learner is above the truth"] == "2 of 12 scores are above the truth's"
    assert (
        found["learners worse than the class frequencies (of 3 truths)"]
        == "naive Bayes on TAN with 50 rows: 1; TAN on TAN with 50 rows: 1"
    )
    assert found["enough truths for t intervals"].startswith("only 3: ")


def test_the_checks_find_other_test_rows_and_skewness(made_up):
    nb = np.zeros((12, 1))
    tan = np.zeros((12, 1))
    tan[0] = 1.0
    results = made_up({"tan": {"nb": nb, "tan": tan}}, sizes=(50,))
    gaps = (tan - nb)[:, 0]
    skewness = ((gaps - gaps.mean()) ** 3).mean() / gaps.std() ** 3
    assert checks(results)["enough truths for t intervals"] == (
        f"12, largest skewness of a paired difference: {skewness:.1f}"
    )
    cells = results._cells.copy()
    cells.loc[cells.index[0], "test_digest"] = "another"
    found = checks(replace(results, _cells=cells))
    assert found["every learner had the same test rows"] == "NO for 1 of 12 truths"


# Places


def test_another_ending_is_reported_before_anything_is_written(small, tmp_path):
    for path in ("r.doc", "r", "r.HTML"):
        with pytest.raises(WorkbenchError, match=r"ends in '.*'") as caught:
            write_report(small, tmp_path / "r.html", tmp_path / path)
        assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_place_that_cannot_be_written_is_reported(odd, tmp_path):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(WorkbenchError, match=r"folder.html is a folder") as caught:
        odd.report(tmp_path / "folder.html")
    for ending in ("html", "md"):
        with pytest.raises(
            WorkbenchError, match=rf"r.{ending} cannot be written: (File exists|Not a directory)$"
        ) as caught:
            odd.report(tmp_path / "file" / f"r.{ending}")
        assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_the_same_results_give_the_same_files_on_another_day(odd, odd_reports, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    first = odd_reports[".md"].parent
    write_report(odd, tmp_path / "re port.md", tmp_path / "re port.tex")
    files = [path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 2 + 2 * N_PICTURES
    for file in files:
        assert (tmp_path / file).read_bytes() == (first / file).read_bytes(), file

"""The page on reproducing a paper runs as it stands, and prints what it says."""

import re
import shlex
import tomllib
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from workbench.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "guides" / "reproduce.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```\n(?:\n```text\n(.*?)```)?", PAGE, flags=re.DOTALL)
#: A file of the page is the next block after its name.
FILES = re.findall(
    r"`(\w+\.(?:csv|toml))`(?:(?!```).)*?\n\n```(?:text|toml)\n(.*?)```", PAGE, flags=re.DOTALL
)


@pytest.mark.slow
def test_every_block_runs_and_prints_what_stands_below_it(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WORKBENCH_DATA", raising=False)
    for name, text in FILES:
        Path(name).write_text(text, encoding="utf-8")
    scope: dict = {"__name__": "page"}
    for kind, code, printed in BLOCKS:
        if kind == "sh":
            for line in code.splitlines():
                done = CliRunner().invoke(app, shlex.split(line)[1:])
                assert done.exit_code == 0, done.output
        elif kind == "python":
            capsys.readouterr()
            exec(compile(code, "docs/guides/reproduce.md", "exec"), scope)
            assert capsys.readouterr().out == printed, "write it anew"
    assert Path("iris2001.html").stat().st_size > 10_000
    assert Path("reproduce.png").stat().st_size > 10_000


def test_the_page_has_its_four_files() -> None:
    assert [name for name, _ in FILES] == ["iris2001.csv", "iris2001.toml", "printed.toml", "ablations.toml"]


@pytest.mark.parametrize(
    "file, column, ours",
    [
        ("accuracy", "mean", "accuracy"),
        ("information_reward", "mean", "reward"),
        ("information_reward", "half_width_1_96sd", "half_width"),
    ],
)
def test_the_figures_are_those_of_the_paper(tmp_path, file, column, ours) -> None:
    paper = pd.read_csv(ROOT / "experiments" / "papers" / "korb2001" / "published" / f"{file}.csv", dtype=str)
    (tmp_path / "page.csv").write_text(dict(FILES)["iris2001.csv"], encoding="utf-8")
    page = pd.read_csv(tmp_path / "page.csv", dtype=str)
    iris = paper[paper["dataset"] == "IR"]
    assert page["learner"].tolist() == iris["learner"].tolist()
    assert page[ours].tolist() == iris[column].tolist()
    for figure in page[ours]:
        assert figure in PAGE.partition("## 1.")[0]


def test_both_studies_split_alike() -> None:
    study, ablations = (tomllib.loads(dict(FILES)[f"{name}.toml"]) for name in ("iris2001", "ablations"))
    for part in ("seed", "sources", "design", "scores"):
        assert study[part] == ablations[part]


def test_links_lead_somewhere() -> None:
    for link in re.findall(r"\]\((?!http)([^)#]+)", PAGE):
        assert (ROOT / "docs" / "guides" / link).exists(), link


def test_the_full_page_has_as_many_unknown_cells_as_the_guide_says() -> None:
    full = (ROOT / "experiments" / "papers" / "korb2001" / "notes.md").read_text(encoding="utf-8")
    assert re.search(r"agree with ours.* and 6 cannot be judged\.", full)
    assert "the full page of this paper has six" in " ".join(PAGE.split())

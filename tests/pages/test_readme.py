"""The README is one page, begins with two commands, and links to files; test_guides.py runs its examples."""

import re
from pathlib import Path

import pytest

from tests.shown import Reader, blocks_of

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = [text for language, text in blocks_of(README) if language == "python"]


def test_it_is_one_page() -> None:
    assert len(README.splitlines()) <= 200


def test_the_two_commands_come_first() -> None:
    first = README.index("```")
    assert README[first:].split("\n")[1].startswith("make study")
    assert README[first:].split("\n")[2].startswith("make test")


def test_every_example_shows_what_it_prints() -> None:
    languages = [language for language, _ in blocks_of(README) if language]
    assert languages == ["python", "text"] * 3


def test_the_comparison_has_ten_lines_and_a_row_for_each_learner(monkeypatch) -> None:
    comparison = PYTHON[0]
    assert len([line for line in comparison.splitlines() if line.strip()]) <= 10
    reader = Reader("README.md")
    reader.follow(f"```python\n{comparison}```\n")
    table = reader.scope["results"].table("ir_b")
    learners = table.index.get_level_values("learner").tolist()
    assert learners == ["nb", "tan", "aode", "camml", "LogisticRegression"]


def test_every_file_that_is_linked_is_there() -> None:
    links = re.findall(r"\]\(((?!http)[^)]+)\)", README)
    assert len(links) >= 20
    for link in links:
        assert (ROOT / link).is_file(), link


def test_pictures_say_what_they_show() -> None:
    shown = re.findall(r"!\[([^\]]*)\]", README)
    assert len(shown) == 2
    assert min(map(len, shown)) > 80


@pytest.mark.parametrize("package", ["generators", "learners", "workbench"])
def test_every_package_has_its_row(package) -> None:
    assert f"\n| `{package}` | " in README

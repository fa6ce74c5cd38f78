"""What the README shows runs as it stands."""

import re
from pathlib import Path

import pytest

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
TOML = re.findall(r"```toml\n(.*?)```", README, flags=re.DOTALL)


@pytest.mark.parametrize("example", PYTHON, ids=lambda text: text.splitlines()[0])
def test_python_examples_run(example, capsys) -> None:
    exec(compile(example, "README.md", "exec"), {"__name__": "readme"})


def test_the_comparison_has_ten_lines_and_a_row_for_each_learner() -> None:
    (comparison,) = [text for text in PYTHON if "compare(" in text]
    assert len([line for line in comparison.splitlines() if line.strip()]) == 10
    scope: dict = {}
    exec(compile(comparison, "README.md", "exec"), scope)
    table = scope["results"].table("ir_b")
    assert table.index.get_level_values("learner").tolist() == ["tan", "aode", "camml", "mine"]


def test_the_study_shown_is_read() -> None:
    from workbench import Study

    (text,) = TOML
    study = Study.from_toml(text)
    assert [spec.key for spec in study.learners] == ["nb", "tan", "tan_laplace", "truth"]


def test_the_two_commands_come_first() -> None:
    first = README.index("```")
    assert README[first:].split("\n")[1].startswith("make study")
    assert README[first:].split("\n")[2].startswith("make test")

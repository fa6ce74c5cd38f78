"""The reference page of study files lists the keys that the reader takes, and no others."""

import re
from dataclasses import fields
from pathlib import Path

from workbench import read_study, write_study
from workbench.base import catalogue
from workbench.study.dataset_source import FILE_OPTIONS
from workbench.study.scores import Scores
from workbench.study.toml import OF_LEARNER, OF_SOURCE, TOP

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "study_files.md").read_text(
    encoding="utf-8"
)


def keys_of(title: str, column: int = 0) -> set[str]:
    """Return the words in backquotes of a column of the table below a title."""
    part = PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:-1] for line in part.splitlines() if line.startswith("| ")][1:]
    return {word for row in rows for word in re.findall(r"`([a-z0-9_]+)`", row[column])}


def test_each_table_has_the_keys_that_the_reader_takes() -> None:
    assert keys_of("The study") == set(TOP)
    assert keys_of("A source of truths") | {"dataset"} == {*OF_SOURCE, "class"}
    assert keys_of("A source of rows") == {"key", "dataset", *FILE_OPTIONS}
    assert keys_of("A learner") == set(OF_LEARNER)
    assert keys_of("The scores") == {"metrics", *Scores.WORDS}


def test_each_design_has_its_keys() -> None:
    assert keys_of("The design") == {*catalogue.keys("designs")}
    part = PAGE.partition("## The design\n")[2].partition("\n## ")[0]
    for key in catalogue.keys("designs"):
        (row,) = (line.split("|")[3] for line in part.splitlines() if line.startswith(f"| `{key}`"))
        named = set(re.findall(r"`([a-z_]+)`", row))
        assert named == {one.name for one in fields(catalogue.find("designs", key))}, key


def test_the_example_is_a_study() -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    study = read_study(text)
    assert [source.key for source in study.sources] == ["small", "noisy"]
    assert read_study(write_study(study)) == study

"""Rows from anywhere: a source that a user writes is compared, stored, scored again and planned with."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sklearn.datasets import load_iris

from workbench import DatasetSource, RowsSource, Source, compare, plan, rescore
from workbench.base.errors import WorkbenchError


@dataclass(frozen=True)
class Query(RowsSource):
    """The rows of a query, with the class in one of its columns."""

    database: str
    query: str
    target: str

    def fetch(self) -> tuple[Any, Any]:
        return pd.read_sql(self.query, sqlite3.connect(self.database)), self.target


@pytest.fixture(scope="module")
def query(tmp_path_factory: pytest.TempPathFactory) -> Query:
    database = str(tmp_path_factory.mktemp("database") / "flowers.db")
    load_iris(as_frame=True).frame.to_sql("flowers", sqlite3.connect(database), index=False)
    return Query("flowers", database, "SELECT * FROM flowers", "target")


def test_rows_of_a_query_are_those_of_the_table(query: Query) -> None:
    frame = load_iris(as_frame=True).frame
    found = compare(["nb", "cart"], on=query, cv=2)
    given = compare(["nb", "cart"], on={"flowers": (frame, "target")}, cv=2)
    pd.testing.assert_frame_equal(found.frame(), given.frame())


def test_a_store_keeps_the_key_of_a_query_and_takes_it_again(query: Query, tmp_path: Path) -> None:
    store = tmp_path / "s.db"
    assert compare("nb", on=query, cv=2, store=store).study.entry("flowers") == {"key": "flowers"}
    with pytest.raises(WorkbenchError, match="was passed in Python"):
        rescore(store, "log_loss")
    assert rescore(store, "log_loss", on=query).n_scores == 4


def test_a_plan_takes_what_compare_takes(query: Query) -> None:
    X, y = query.content.X, query.content.y
    by_rows = plan(X, y, learners=["nb"], rows=300, progress=False)
    assert plan(query, learners=["nb"], rows=300, progress=False).table().equals(by_rows.table())
    with pytest.raises(WorkbenchError, match=r"expected one table.* got 1 of truths"):
        plan(Source("tan", "tan"), learners=["nb"])


def test_a_source_is_a_form_of_on(tmp_path: Path) -> None:
    frame = load_iris(as_frame=True).frame
    frame.to_csv(tmp_path / "iris.csv", index=False)
    source = DatasetSource("mine", str(tmp_path / "iris.csv"), class_name="target")
    by_name = compare("nb", on={"mine": (tmp_path / "iris.csv", "target")}, cv=2)
    assert compare("nb", on=source, cv=2).frame().equals(by_name.frame())
    drawn = compare("nb", on=Source("small", "tan", {"n_attributes": 3}), sizes=20, n_test=10)
    assert drawn.study.to_toml() is not None

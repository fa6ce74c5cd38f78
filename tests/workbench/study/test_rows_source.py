"""Rows from anywhere: a source that a user writes is compared, stored, scored again and planned with."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sklearn.datasets import load_iris

from workbench import DatasetSource, RowsSource, Source, compare, rescore
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
    with pytest.raises(WorkbenchError, match="passed in Python"):
        rescore(store, "log_loss")
    assert rescore(store, "log_loss", on=query).n_scores == 4


def test_a_source_is_a_form_of_on(tmp_path: Path) -> None:
    frame = load_iris(as_frame=True).frame
    frame.to_csv(tmp_path / "iris.csv", index=False)
    source = DatasetSource("mine", str(tmp_path / "iris.csv"), class_name="target")
    by_name = compare("nb", on={"mine": (tmp_path / "iris.csv", "target")}, cv=2)
    assert compare("nb", on=source, cv=2).frame().equals(by_name.frame())
    drawn = compare("nb", on=Source("small", "tan", {"n_attributes": 3}), sizes=20, n_test=10)
    assert drawn.study.to_toml() is not None


@dataclass(frozen=True)
class Answering(RowsSource):
    """A source whose rows are what it was given."""

    answer: Any

    def fetch(self) -> tuple[Any, Any]:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "gives a NoneType as its rows"),
        (pd.DataFrame({"a": [1]}), "gives a DataFrame as its rows"),
        ((1, 2, 3, 4), "gives a tuple as its rows"),
        (OSError("no such table"), "the rows of source 'odd' cannot be fetched: .*no such table"),
    ],
)
def test_what_is_no_rows_is_one_sentence(answer: Any, said: str) -> None:
    with pytest.raises(WorkbenchError, match=said):
        compare("nb", on=Answering("odd", answer))


def test_a_field_that_hides_what_sources_have_is_refused() -> None:
    with pytest.raises(WorkbenchError, match="has the field 'rows', which is reserved"):
        type("Hiding", (RowsSource,), {"__annotations__": {"rows": int}, "rows": 5})


def test_sources_in_a_list_keep_their_keys(query: Query) -> None:
    other = Query("other", query.database, "SELECT * FROM flowers LIMIT 120", "target")
    assert compare("nb", on=[query, other], cv=2).study.source_keys == ["flowers", "other"]
    with pytest.raises(WorkbenchError, match="sources with the same key"):
        compare("nb", on=[query, query])


@pytest.mark.parametrize(
    ("value", "nearest"),
    [
        (load_iris(as_frame=True).frame, r'\(table, "class column"\)'),
        (load_iris().data, r"\(X, y\)"),
        (Query, r"Query\(...\)"),
        ({"a": {"generator": "tan"}}, "Source"),
        (3, "RowsSource"),
    ],
)
def test_what_has_no_form_is_told_the_nearest(value: Any, nearest: str) -> None:
    with pytest.raises(WorkbenchError, match=f"`on` contains.*{nearest}"):
        compare("nb", on=value)


def test_sources_and_names_stand_in_one_list(query: Query) -> None:
    assert compare("nb", on=[query, "iris"], cv=2).study.source_keys == ["flowers", "iris"]
    with pytest.raises(WorkbenchError, match="a list of sources and other values: name each"):
        compare("nb", on=[query, (load_iris(as_frame=True).frame, "target")])


def test_a_file_of_a_network_is_no_table() -> None:
    with pytest.raises(WorkbenchError, match=r"path of a network, 'l.bif': read it with .*read_network"):
        compare("nb", on=("l.bif", "y"))

"""The papers' data sets: what each source gives, what is checked, what is said when one is missing."""

import csv
import gzip
import hashlib
import json
import math
import re
import socket
import time

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal
from sklearn.impute import SimpleImputer

from learners.tables.attributes import Schema
from workbench.base.errors import WorkbenchError
from workbench.datasets import (
    REGISTRY,
    datasets_of,
    find,
    list_datasets,
    load_arff,
    load_dataset,
    load_table,
    read_arff,
)
from workbench.datasets.openml import fetch

IRIS = """@relation t
@attribute a real
@attribute b real
@attribute c real
@attribute d real
@attribute k {x,y,z}
@data
"""
IRIS += "1,2,3,4,x\n1,2,3,4,y\n1,2,3,?,z\n" * 50


@pytest.fixture(autouse=True)
def _nothing_around(monkeypatch, tmp_path):
    """No folder but those that a test names, an empty cache, no network."""

    def refuse(*args, **kwargs):
        raise OSError("no network in tests")

    monkeypatch.delenv("WORKBENCH_DATA", raising=False)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "cache"))
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(time, "sleep", lambda _: None)  # scikit-learn waits between its attempts


@pytest.fixture(scope="module")
def index(shared):
    with open(shared / "datasets" / "INDEX.csv", newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.slow
def test_every_file_of_the_folder_has_the_shape_that_its_index_says(shared, index):
    assert len(index) == 45
    for row in index:
        X, y = load_dataset(row["file"].removesuffix(".gz").removesuffix(".arff"), data=shared)
        numeric = X.dtypes == "float64"
        found = {
            "instances": len(X),
            "attributes": X.shape[1],
            "numeric_attributes": int(numeric.sum()),
            "nominal_attributes": int((X.dtypes == "category").sum()),
            "missing_cells": int(X.isna().sum().sum()),
            "classes": y.nunique(),
        }
        assert found == {name: int(row[name]) for name in found}, row["file"]
        assert y.name == row["class_attribute"]
        assert y.dtype == "category"


@pytest.mark.slow
def test_columns_have_all_the_values_that_the_files_declare(shared, index):
    for row in index:
        table = read_arff(shared / "datasets" / row["file"])
        for attribute in table.attributes:
            if attribute.kind == "nominal":
                assert tuple(table.frame[attribute.name].cat.categories) == attribute.values
    y = load_dataset("primary-tumor", data=shared)[1]
    assert (y.nunique(), len(y.cat.categories)) == (21, 22)
    assert "head and neck" in y.cat.categories
    assert (load_dataset("anneal", data=shared)[0]["family"].cat.categories).tolist()[:2] == ["--", "GB"]


@pytest.mark.slow
def test_all_data_sets_of_the_papers_load_from_the_folder(shared):
    names = [entry.code for entry in datasets_of("2001")] + [entry.key for entry in datasets_of("2004")]
    assert len(names) == 53
    for name in names:
        X, y = load_dataset(name, data=shared)
        assert (len(X), X.shape[1], y.nunique()) == find(name).shape


def test_the_registry_has_the_sizes_that_the_paper_of_2001_prints(shared):
    printed = pd.read_csv(shared / "reference" / "korb2001_datasets.csv").set_index("dataset")
    assert sorted(printed.index) == [entry.code for entry in datasets_of("2001")]
    for code, row in printed.iterrows():
        n_rows = row["training_set_size"] + row["test_set_size"]
        assert find(code).shape == (n_rows, row["attributes"], row["classes"])


def test_the_registry_has_the_names_that_the_paper_of_2004_prints(shared):
    printed = pd.read_csv(shared / "reference" / "hope2004_accuracy.csv")["dataset"].unique()
    assert sorted(printed) == sorted(entry.key for entry in datasets_of("2004"))


def test_the_registry_agrees_with_the_index_of_the_folder(shared, index):
    for row in index:
        entry = find(row["file"].removesuffix(".gz").removesuffix(".arff"))
        assert entry.shape == tuple(int(row[name]) for name in ("instances", "attributes", "classes"))
        assert entry.openml_id == (int(row["openml_data_id"]) if row["openml_data_id"] else None)


def test_no_name_stands_for_two_data_sets():
    names = [name.lower() for entry in REGISTRY for name in dict.fromkeys(map(str.lower, entry.names))]
    assert len(names) == len(set(names))


def test_g2_is_the_float_glass_against_the_other(shared):
    X, y = load_dataset("G2", data=shared)
    assert y.value_counts().to_dict() == {"float": 87, "non-float": 76}
    assert list(X.index) == list(range(163))


def test_v1_lacks_the_one_vote_of_its_parent(shared):
    X, y = load_dataset("V1", data=shared)
    parent, y_parent = load_dataset("VO", data=shared)
    assert [name for name in parent if name not in X] == ["physician-fee-freeze"]
    assert_series_equal(y, y_parent)


def test_a_version_says_what_differs_and_has_the_rows_of_its_parent(shared):
    versions = [entry for entry in REGISTRY if entry.differs]
    assert len(versions) == 8
    for entry in versions:
        assert re.search(r"\((1996|2001|2002|2004)\)$", entry.differs)
        if entry.parent:
            assert entry.n_rows == find(entry.parent).n_rows or entry.key == "glass2-by-class"
            assert load_dataset(entry.key, data=shared)[0].shape == entry.shape[:2]


def test_rows_by_class_are_those_of_the_parent(shared):
    X, y = load_dataset("breast-cancer-by-class", data=shared)
    parent, y_parent = load_dataset("breast-cancer", data=shared)
    assert y.cat.codes.is_monotonic_increasing
    assert not y_parent.cat.codes.is_monotonic_increasing
    order = np.argsort(y_parent.cat.codes.to_numpy(), kind="stable")
    assert_frame_equal(X, parent.iloc[order].reset_index(drop=True))


def test_a_missing_vote_is_a_third_value(shared):
    X, _ = load_dataset("house-votes-84-third-value", data=shared)
    parent, _ = load_dataset("house-votes-84", data=shared)
    assert not X.isna().any().any()
    assert int((X == "?").sum().sum()) == int(parent.isna().sum().sum()) == 392


def test_the_heart_patients_of_1996_have_five_declared_classes(shared):
    X, y = load_dataset("heart-c-five-classes", data=shared)
    assert y.cat.categories.tolist() == ["<50", ">50_1", ">50_2", ">50_3", ">50_4"]
    assert y.value_counts().head(2).tolist() == [165, 138]
    assert list(X["ca"].cat.categories) == ["0", "1", "2", "3"]


@pytest.mark.parametrize("name", ["iris", "wine"])
def test_what_comes_with_scikit_learn_is_what_the_files_have(name, shared):
    X, y = load_dataset(name)
    X_file, y_file = load_dataset(name, data=shared)
    assert_frame_equal(X, X_file)
    assert_series_equal(y, y_file)


def test_data_goes_before_the_variable_and_the_variable_before_scikit_learn(tmp_path, monkeypatch):
    for name in ("one", "two"):
        (tmp_path / name / "datasets").mkdir(parents=True)
    (tmp_path / "two" / "datasets" / "IRIS.arff").write_text(IRIS)
    monkeypatch.setenv("WORKBENCH_DATA", str(tmp_path / "two"))
    assert list(load_dataset("iris")[0]) == ["a", "b", "c", "d"]
    (tmp_path / "one" / "iris.arff.gz").write_bytes(
        gzip.compress(IRIS.replace("@attribute a", "@attribute e").encode())
    )
    assert list(load_dataset("IR", data=tmp_path / "one")[0]) == ["e", "b", "c", "d"]


def test_a_file_of_another_shape_is_an_error_that_names_both(tmp_path):
    (tmp_path / "iris.arff").write_text(IRIS + "1,2,3,4,x\n")
    what = (
        r"iris\.arff has 151 rows, 4 attributes and 3 classes: expected 150 rows, .* of the data set 'iris'"
    )
    with pytest.raises(WorkbenchError, match=what):
        load_dataset("iris", data=tmp_path)


def test_files_that_no_paper_has_are_loaded_and_listed(tmp_path):
    (tmp_path / "My_Data.arff").write_text("@attribute k {x,y}\n@attribute a {p,q}\n@data\nx,p\ny,q\n")
    assert load_dataset("my data", data=tmp_path)[1].name == "a"
    (tmp_path / "INDEX.csv").write_text(
        "file,paper_names,instances,attributes,classes,class_attribute\nMy_Data.arff,MD;iris "
        "(parent),2,1,2,k\n"
    )
    assert load_dataset("MD", data=tmp_path)[1].name == "k"
    table = list_datasets(tmp_path).set_index("key")
    assert table.loc["my-data", ["rows", "attributes", "classes", "found"]].tolist() == [2, 1, 2, "file"]
    assert table.loc["iris", "found"] == "bundled"
    assert table.loc["house-votes-84-third-value", "differs"] == "a missing vote is a third value (2004)"
    assert table.loc["glass", ["differs", "row_order"]].tolist() == ["", "sorted by class"]
    # A version of a version is found where the first of them is.
    assert (table.loc["glass2-by-class", ["found", "where"]] == table.loc["glass", ["found", "where"]]).all()
    assert (table.loc["my-data", ["differs", "row_order"]] == "").all()
    (tmp_path / "INDEX.csv").write_text("file,instances,attributes,classes\nMy_Data.arff,3,1,2\n")
    with pytest.raises(WorkbenchError, match="has 2 rows, 1 attribute and 2 classes: expected 3 rows"):
        load_dataset("my-data", data=tmp_path)
    (tmp_path / "INDEX.csv").write_text("name\nx\n")
    with pytest.raises(WorkbenchError, match=r"INDEX\.csv has no column 'file'"):
        load_dataset("iris", data=tmp_path)


def test_the_class_may_be_the_first_attribute_where_the_registry_knows(tmp_path, shared):
    X, y = load_dataset("wine", data=shared)
    names = ["@attribute class {1,2,3}", *(f"@attribute a{i} real" for i in range(13)), "@data"]
    rows = [",".join([label, *map(str, row)]) for label, row in zip(y, X.to_numpy(), strict=True)]
    (tmp_path / "wine.arff").write_text("\n".join(names + rows))
    assert_series_equal(load_dataset("wine", data=tmp_path)[1], y)


def test_folders_that_are_none_are_reported(tmp_path, monkeypatch):
    with pytest.raises(WorkbenchError, match=r"^--data \(data= in Python\) names .*"):
        load_dataset("iris", data=tmp_path / "none")
    monkeypatch.setenv("WORKBENCH_DATA", str(tmp_path / "none"))
    with pytest.raises(WorkbenchError, match=r"WORKBENCH_DATA names .*"):
        list_datasets()


def test_missing_text_is_nan_as_imputers_expect_it(tmp_path):
    path = tmp_path / "some.csv"
    path.write_text("t,class\np,u\n?,v\np,u\nq,v\n")
    X, _ = load_table(path)
    assert math.isnan(X["t"][1])
    assert SimpleImputer(strategy="most_frequent").fit_transform(X[["t"]]).ravel().tolist() == list("pppq")


@pytest.mark.parametrize("kind", ["csv", "parquet", "arff"])
def test_numbers_that_are_codes_become_labels_where_they_are_named(tmp_path, kind):
    path = tmp_path / f"some.{kind}"
    frame = pd.DataFrame({"k": [10, 9, 2], "h": [1.0, np.nan, 0.5], "t": list("pqp"), "class": list("uvu")})
    if kind == "csv":
        frame.to_csv(path, index=False)
    elif kind == "parquet":
        frame.to_parquet(path)
    else:
        rows = frame.to_csv(index=False, header=False, na_rep="?")
        head = "@attribute k real\n@attribute h real\n@attribute t {p,q}\n@attribute class {u,v}\n@data\n"
        path.write_text(head + rows)
    read = load_arff if kind == "arff" else load_table
    X, _ = read(path, nominal=["k", "h", "t"])
    assert X["k"].tolist() == [10, 9, 2]
    assert {type(value) for value in X["k"]} == {int}
    assert X["h"].isna().tolist() == [False, True, False]
    assert X["h"].dropna().tolist() == ([1, 0.5] if kind != "csv" else ["1.0", "0.5"])
    assert X["t"].tolist() == list("pqp")
    assert sorted(Schema.fit_code(X)[0].attributes[0].states) == [2, 9, 10]
    assert read(path)[0]["k"].dtype.kind in "if"
    with pytest.raises(WorkbenchError, match=r"has no column 'kk' to be nominal: did you mean 'k'\?"):
        read(path, nominal=["kk"])
    with pytest.raises(WorkbenchError, match="nominal is 'k': expected a list of names of columns"):
        read(path, nominal="k")


def test_unknown_names_are_reported_with_the_nearest(tmp_path):
    with pytest.raises(WorkbenchError, match=r"'mushrom' is n.* data set .* did you mean 'mushroom'\?"):
        load_dataset("mushrom", data=tmp_path)
    (tmp_path / "wine.arff").write_text(IRIS)  # also a name of the registry
    for refuse in (lambda: load_dataset("wines", data=tmp_path), lambda: find("wines")):
        with pytest.raises(WorkbenchError) as caught:
            refuse()
        assert str(caught.value).count("wine'") == 1
        assert str(caught.value).endswith("see `workbench list datasets`")
    with pytest.raises(WorkbenchError) as caught:
        load_dataset("nothing like it at all", data=tmp_path)
    assert len(str(caught.value)) < 150 + len(str(tmp_path))
    assert "list datasets" in str(caught.value)
    assert "iris" not in str(caught.value)


def test_a_missing_data_set_says_how_to_get_it(tmp_path):
    with pytest.raises(WorkbenchError, match=r"'sign' is not in .*, and no copy at OpenML is known"):
        load_dataset("sign", data=tmp_path)
    with pytest.raises(WorkbenchError, match=r"'glass' is not in .*OpenML 41 cannot be fetched.*: go online"):
        load_dataset("G2", data=tmp_path)
    assert socket.getdefaulttimeout() is None


def test_what_is_missing_is_listed_with_where_it_was_looked_for(tmp_path):
    table = list_datasets(tmp_path).set_index("key")
    assert len(table) == len(REGISTRY)
    assert table["found"].value_counts().to_dict() == {"missing": len(REGISTRY) - 2, "bundled": 2}
    assert str(tmp_path) in table.loc["sign", "where"]
    assert "OpenML 41 can be fetched" in table.loc["glass2", "where"]


def test_openml_gives_declared_values_from_its_cache_without_a_network(tmp_path):
    text = (
        "@relation t\n@attribute a {p,'q r',s}\n@attribute b real\n@attribute id real\n"
        "@attribute k {x,y,z}\n@data\n"
        "'q r',1.5,1,x\n?,?,2,y\np,3,3,x\n"
    )
    put_into_cache(tmp_path / "cache", 7, text, target="k", row_id="id")
    X, y = fetch(7)
    assert list(X) == ["a", "b"]
    assert list(X["a"].cat.categories) == ["p", "q r", "s"]
    assert X["a"].astype(object).fillna("?").tolist() == ["q r", "?", "p"]
    assert np.array_equal(X["b"], [1.5, np.nan, 3], equal_nan=True)
    assert (list(y.cat.categories), y.tolist()) == (["x", "y", "z"], ["x", "y", "x"])


def test_a_data_set_of_openml_is_checked_and_listed(tmp_path):
    put_into_cache(tmp_path / "cache", 53, IRIS, target="k")
    assert list_datasets().set_index("key").loc["heart", "found"] == "OpenML cache"
    with pytest.raises(
        WorkbenchError, match=r"OpenML 53 has 150 rows, 4 .*: expected 270 rows, 13 .* 'heart'"
    ):
        load_dataset("heart")


def put_into_cache(home, openml_id, text, *, target, row_id=""):
    """Write what scikit-learn keeps of a data set."""
    table = text.split("@attribute ")[1:]
    features = [
        {
            "index": str(i),
            "name": line.split()[0],
            "data_type": "nominal" if "{" in line else "numeric",
            "is_target": str(line.split()[0] == target).lower(),
            "is_ignore": "false",
            "is_row_identifier": str(line.split()[0] == row_id).lower(),
        }
        for i, line in enumerate(table)
    ]
    description = {
        "id": str(openml_id),
        "name": "t",
        "version": "1",
        "format": "ARFF",
        "status": "active",
        "description": "made for a test",
        "default_target_attribute": target,
        "url": f"https://www.openml.org/data/v1/download/{openml_id}/t.arff",
        "md5_checksum": hashlib.md5(text.encode()).hexdigest(),
    }
    n_rows = len(text.split("@data\n")[1].splitlines())
    qualities = [{"name": "NumberOfInstances", "value": str(n_rows)}]
    place = home / "openml" / "openml.org"
    data = f"api/v1/json/data/{openml_id}"
    for path, content in {
        data: json.dumps({"data_set_description": description}),
        f"api/v1/json/data/features/{openml_id}": json.dumps({"data_features": {"feature": features}}),
        f"api/v1/json/data/qualities/{openml_id}": json.dumps({"data_qualities": {"quality": qualities}}),
        f"data/v1/download/{openml_id}/t.arff": text,
    }.items():
        (place / f"{path}.gz").parent.mkdir(parents=True, exist_ok=True)
        (place / f"{path}.gz").write_bytes(gzip.compress(content.encode()))


def test_a_name_in_two_folders_is_that_of_the_first_and_listed_once(tmp_path, monkeypatch):
    for name, class_name in (("one", "k"), ("two", "c")):
        (tmp_path / name).mkdir()
        text = f"@attribute a {{p,q}}\n@attribute {class_name} {{x,y}}\n@data\np,x\nq,y\n"
        (tmp_path / name / "my-data.arff").write_text(text)
    monkeypatch.setenv("WORKBENCH_DATA", str(tmp_path / "two"))
    assert load_dataset("my-data", data=tmp_path / "one")[1].name == "k"
    listed = list_datasets(tmp_path / "one").query("key == 'my-data'")
    assert listed["where"].tolist() == [str(tmp_path / "one" / "my-data.arff")]


@pytest.mark.parametrize(
    ("name", "shape", "n_classes"),
    [("sklearn.breast_cancer", (569, 30), 2), ("sklearn_digits", (1797, 64), 10)],
)
def test_tables_of_scikit_learn_have_names_of_their_own(tmp_path, name, shape, n_classes):
    X, y = load_dataset(name, data=tmp_path)
    assert X.shape == shape
    assert (X.dtypes == np.float64).all()
    assert y.cat.categories.size == y.nunique() == n_classes

"""The tables of a folder: what is taken, what is left out and why."""

import warnings

import pytest

from workbench import compare
from workbench.base.errors import InferredClassWarning, LeftOutWarning, WorkbenchError
from workbench.study.folder_source import is_folder, tables_of

ARFF = "@relation small\n@attribute color {red,green,blue}\n@attribute class {yes,no}\n@data\n"


def arff(n=24):
    return ARFF + "".join(f"{('red', 'green', 'blue')[i % 3]},{('yes', 'no')[i % 2]}\n" for i in range(n))


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a CSV file and an ARFF file."""
    place = tmp_path / "tables"
    place.mkdir()
    rows = "".join(f"{i % 3 + 0.5},{i},{'yes' if i % 2 else 'no'}\n" for i in range(40))
    (place / "above.csv").write_text("first,second,answer\n" + rows, encoding="utf-8")
    (place / "small.arff").write_text(arff(), encoding="utf-8")
    return place


def test_a_folder_has_the_tables_that_can_be_read_and_split(folder):
    (folder / "empty.csv").write_text("", encoding="utf-8")
    (folder / "two.arff").write_text(arff(2), encoding="utf-8")
    (folder / "notes.txt").write_text("no table", encoding="utf-8")
    (folder / "twin.csv").write_text((folder / "above.csv").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "small.csv").write_text("a,class\n" + "1.5,x\n2.5,y\n" * 4, encoding="utf-8")
    sources, left_out = tables_of(folder)
    assert [source.key for source in sources] == ["above", "small", "small.csv"]
    names = ["empty.csv", "twin.csv", "two.arff"]
    assert [line.split(" is left out: ")[0] for line in left_out] == names
    assert "above" in left_out[1]
    assert "2 rows" in left_out[2]
    assert not any(str(folder) in line for line in left_out)


def test_the_index_names_the_class_of_an_arff_file(folder):
    (folder / "INDEX.csv").write_text("file,class_attribute\nsmall.arff,color\n", encoding="utf-8")
    small = next(source for source in tables_of(folder)[0] if source.key == "small")
    assert small.content.classes == ("red", "green", "blue")


def test_a_folder_without_tables_is_one_sentence(tmp_path):
    with pytest.raises(WorkbenchError, match="has no data sets"):
        tables_of(tmp_path)
    (tmp_path / "none.csv").write_text("", encoding="utf-8")
    with pytest.raises(WorkbenchError, match=r"can be used: none\.csv"):
        tables_of(tmp_path)


def test_the_name_of_a_data_set_is_no_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "iris").mkdir()
    (tmp_path / "mine").mkdir()
    assert [is_folder(word) for word in ("iris", "./iris", "mine", "other")] == [False, True, True, False]


def test_learners_are_compared_on_every_table_of_a_folder(folder):
    (folder / "empty.csv").write_text("", encoding="utf-8")
    with warnings.catch_warnings(record=True) as noticed:
        warnings.simplefilter("always")
        results = compare(["nb", "one_r"], on=folder, metrics="accuracy", isolate=False)
    assert results.table("accuracy").index.unique("source").tolist() == ["above", "small"]
    kinds = {one.category: str(one.message) for one in noticed}
    assert "empty.csv" in kinds[LeftOutWarning]
    assert "above" in kinds[InferredClassWarning]

"""Small files as programs and people write them: what is read, what is said, what is refused.

Each is compared cell by cell with what pandas makes of it where a user who knows the file types all options
by hand. Tested elsewhere: files that change between two calls, and study files of Windows
(tests/workbench/study); BIF (tests/generators/files); predictions against their labels
(tests/workbench/forecasts); labels of ranks (tests/workbench/figures); plain values in messages
(tests/workbench/base).
"""

import ast
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from workbench.base.errors import WorkbenchError
from workbench.cli.app import app
from workbench.datasets import (
    CodesForMissingWarning,
    LeadingZerosWarning,
    NumbersAsTextWarning,
    ReadAsWarning,
    RowNamesWarning,
    SingleRowClassWarning,
    UninformativeColumnWarning,
    WordsAmongNumbersWarning,
    load_table,
)
from workbench.datasets.delimited import reading
from workbench.datasets.delimited.options import TextOptions
from workbench.study.dataset_source import DatasetSource

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """A file with its options, what pandas needs to read it, some cells, and what is said."""

    file: str
    by_hand: dict[str, Any]
    cells: dict[tuple[int, str], Any]
    said: tuple[tuple[type[Warning], str], ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    class_name: str = "class"

    def __str__(self) -> str:
        return self.file + "".join(f" {name}" for name in self.options)


def read_as(words: str) -> tuple[type[Warning], str]:
    return (ReadAsWarning, f"was read {words}")


def numbered(sign: str, thousands: str = "", decimal: str = ".") -> Any:
    """Return what pandas needs to convert numbers with a sign around them."""
    apart = dict.fromkeys(map(ord, f"{sign}{thousands} "))
    return lambda text: float(text.translate(apart).replace(decimal, "."))


PYTHON = {"engine": "python"}
BLANK, BAR = {"sep": r"\s+"}, {"sep": r"\s*\|\s*"} | PYTHON
EUROPE = {"sep": ";", "decimal": ","}
FIRST_NAMES = "without its first column, which names rows"
ID = "column 'Id' identifies rows"
NOTES = {"names": ["V1", "V2", "V3", "V4"], "skipinitialspace": True, "na_values": "?"}

CASES = [
    # words and codes for what is missing
    Case("null_words.csv", {}, {(2, "price"): np.nan, (3, "price"): 16.4}),
    Case(
        "dash_and_dot.csv", {}, {(2, "price"): "-", (3, "price"): "16.4"},
        ((WordsAmongNumbersWarning, "'price' has numbers except '-', '.' in 2 rows"),),
    ),
    Case(
        "dash_and_dot.csv", {"na_values": ["-", "."]}, {(2, "price"): np.nan},
        options={"missing": ["-", "."]},
    ),
    Case(
        "codes_of_missing.csv", {}, {(2, "price"): -9.0},
        ((CodesForMissingWarning, "'price' has -9 in 3 rows, far from all other numbers"),),
    ),
    Case(
        "codes_of_missing.csv", {"na_values": {"price": ["-9"]}}, {(2, "price"): np.nan, (9, "z"): 9},
        options={"missing": {"price": ["-9"]}},
    ),
    Case(
        "codes_of_missing_as_floats.csv", {}, {(1, "age"): -9.0},
        (
            (CodesForMissingWarning, """'age' has -9 in 3 rows"""),
            (CodesForMissingWarning, """'n' has -9 in 3 rows"""),
        ),
    ),
    Case(
        "codes_of_missing_as_floats.csv", {"na_values": ["-9"]}, {(1, "age"): np.nan, (2, "n"): np.nan},
        options={"missing": ["-9"]},
    ),
    Case(
        "codes_of_missing_as_floats.csv", {"na_values": {"n": ["-9.0"]}}, {(1, "age"): -9.0},
        ((CodesForMissingWarning, "'age' has -9 in 3 rows"),),
        options={"missing": {"n": ["-9.0"]}},
    ),
    Case(
        "excel_errors.csv", {}, {(3, "b"): "#DIV/0!", (4, "b"): "4.25"},
        ((WordsAmongNumbersWarning, "has numbers except '#DIV/0!' in 2 rows"),),
    ),
    Case(
        "infinite.csv", {"na_values": "inf"}, {(1, "a"): np.nan, (2, "a"): 2.0}, options={"missing": ["inf"]}
    ),
    Case(
        "distinct_prices.csv", {}, {(3, "price"): "NULL!"},  # and nothing of names of rows
        (
            (WordsAmongNumbersWarning, """'price' has numbers except 'NULL!' in 2 rows"""),
            (WordsAmongNumbersWarning, """'mark' has numbers except '<5' in 1 row"""),
        ),
    ),
    # codes
    Case(
        "zip_codes.csv", {}, {(0, "zip"): 123, (0, "part"): 120000.0},
        (
            (LeadingZerosWarning, """'zip' (0123): nominal = ["zip"] keeps codes as they are written"""),
            (UninformativeColumnWarning, "'zip' has a single value"),
        ),
    ),
    Case(
        "zip_codes.csv", {"dtype": str}, {(0, "zip"): "0123", (2, "part"): "1e5"},
        options={"nominal": ["zip", "part"]},
    ),
    # heads and names of rows
    Case(
        "without_header.csv", {"names": ["V1", "V2", "V3"]}, {(0, "V1"): 5.1},
        (read_as("without a header (columns V1 to V3); to read it otherwise, name header"),), class_name="V3",
    ),
    Case(
        "without_header.csv", {"names": ["length", "width", "class"]}, {(0, "width"): 3.5},
        options={"header": ["length", "width", "class"]},
    ),
    Case(
        "row_numbers.csv", {}, {(0, "Id"): 0},
        ((RowNamesWarning, ID + ', as nearly all values are distinct: leave it out (drop = ["Id"])'),),
        class_name="species",
    ),
    Case(
        "row_numbers.csv", {"usecols": ["width", "species"]}, {(1, "width"): 2.1}, options={"drop": ["Id"]},
        class_name="species",
    ),
    Case(
        "numbered_header.csv", {}, {(0, "1"): 4},
        (read_as("with numbers as names of columns; to read it otherwise, name header"),), class_name="3",
    ),
    Case(
        "numbered_header.csv", {"names": ["V1", "V2", "V3"]}, {(0, "V1"): 1}, options={"header": False},
        class_name="V3",
    ),
    Case("years.csv", {}, {(0, "2000"): 1}),
    # separators, encodings and numbers
    Case("semicolons.csv", EUROPE, {(1, "b"): 4.0}, (read_as("semicolon-separated, with a decimal comma"),)),
    Case("semicolons.csv", EUROPE, {(0, "a"): 1.5}, options={"sep": ";", "decimal": ","}),
    Case("latin_1.csv", {"encoding": "latin-1"}, {(0, "größe"): 1}, (read_as("in cp1252; to read it"),)),
    Case(
        "amounts.csv",
        {"thousands": ",", "converters": {"share": numbered("%"), "cost": numbered("$", ",")}},
        {(0, "price"): 1260, (1, "share"): 12.5, (2, "cost"): 1200.0},
        (read_as("with numbers such as '1,260' in 'price', '5%' in 'share', '$2.50' in 'cost'"),),
    ),
    Case(
        "decimal_comma_in_quotes.csv", {"decimal": ","}, {(1, "a"): 7.25},
        (read_as("with numbers such as '12,5' in 'a'"),),
    ),
    Case(
        "ambiguous_groups.csv", {}, {(0, "a"): "1,237"},
        ((NumbersAsTextWarning, """written as '1,237', which learners treat as categories: name their"""),),
    ),
    Case(
        "ambiguous_groups.csv", {"decimal": ","}, {(0, "a"): 1.237}, options={"decimal": ","},
    ),
    Case(
        "ambiguous_groups.csv", {"thousands": ","}, {(0, "a"): 1237},
        (read_as("with numbers such as '1,237' in 'a'"),), options={"decimal": "."},
    ),
    Case("swiss.csv", {"thousands": "'"}, {(2, "price"): 12345678.0}, (read_as("with numbers such as"),)),
    Case(
        "french.csv", EUROPE | {"converters": {"prix": numbered("", "\u202f", ",")}}, {(0, "prix"): 1234.5},
        (read_as("semicolon-separated, with a decimal comma, with numbers such as"),), class_name="classe",
    ),
    Case(
        "european_thousands.csv", EUROPE | {"thousands": "."}, {(0, "a"): 1000, (1, "a"): 2037},
        (read_as("semicolon-separated, with a decimal comma, with numbers such as '1.000' in 'a'"),),
    ),
    Case(
        "euro_before.csv",
        {"sep": ";", "converters": {"a": numbered("€", ".", ","), "b": lambda text: int(text.strip(" $"))}},
        {(0, "a"): 1234.5, (2, "a"): -3.5, (2, "b"): -8},
        (read_as("semicolon-separated, with a decimal comma, with numbers such as '€ 1.234,50' in 'a'"),),
    ),
    Case(
        "blank_decimal_comma.txt", BLANK | {"decimal": ","}, {(1, "b"): 4.25},
        (read_as("blank-separated, with a decimal comma"),),
    ),
    Case("comma_and_blank.csv", {"skipinitialspace": True}, {(1, "b"): 4}),
    # Excel
    Case("excel_utf8.csv", {}, {(1, "Größe"): 2.5, (2, "Ort"): "Aachen, West"}, class_name="Klasse"),
    Case(
        "excel_unicode_text.txt", {"sep": "\t", "decimal": ",", "encoding": "utf-16"},
        {(0, "Größe"): 1.5, (2, "Ort"): "Aachen\tWest"},
        (read_as("tab-separated, with a decimal comma, in utf-16; to read it"),),
        class_name="Klasse",
    ),
    Case("excel_macintosh_ascii.csv", {}, {(0, "town"): "Bonn"}),
    Case(
        "excel_macintosh.csv", {"encoding": "mac-roman"}, {(0, "town"): "Köln", (1, "town"): "Zürich"},
        (read_as("in mac-roman; to read it otherwise, name encoding"),),
    ),
    Case("excel_empty_rows.csv", {"usecols": [0, 1, 2], "skipfooter": 2} | PYTHON, {(2, "size"): 3.0}),
    Case(
        "excel_europe.csv",
        EUROPE
        | {
            "encoding": "cp1252", "thousands": ".", "dtype": {"Datum": str},
            "converters": {"Anteil": numbered("%", decimal=","), "Betrag": numbered("€", ".", ",")},
        },
        {(0, "Preis"): 1234.56, (2, "Anteil"): 0.5, (0, "Betrag"): 1200.0, (0, "Datum"): "31.12.2024"},
        (
            read_as("semicolon-separated, with a decimal comma, in cp1252, with numbers such as '1.234,56'"),
            (RowNamesWarning, "column 'Datum' holds dates"),
        ),
        class_name="Klasse",
    ),
    Case(
        "excel_sep_line.csv", EUROPE | {"skiprows": 1}, {(0, "b"): 2.5},
        (read_as("semicolon-separated, with a decimal comma, from line 2 on"),),
    ),
    Case(
        "excel_spacers.csv", {"usecols": ["size", "town", "class"]}, {(0, "town"): "Bonn"},
        (read_as("without 2 empty columns"),),
    ),
    Case("excel_line_breaks.csv", {}, {(0, "note"): "two\nlines", (1, "note"): 'said "no"\nand left'}),
    Case("excel_dates.csv", {}, {(1, "when"): "1/2/2025"}, ((RowNamesWarning, "column 'when' holds dates"),)),
    Case(
        "excel_title.csv", {"skiprows": 2}, {(0, "size"): 1.5, (2, "n"): 5}, (read_as("from line 3 on"),),
    ),
    Case(
        "excel_percent.csv",
        {"converters": dict.fromkeys(["share", "rate"], lambda text: int(text.strip("% ")))},
        {(0, "share"): 5}, (read_as("with numbers such as '5%' in 'share', '3 %' in 'rate'"),),
    ),
    # LibreOffice
    Case("libreoffice_quoted.csv", {}, {(1, "town"): "Bern, Ost"}),
    Case("libreoffice_bars.csv", {"sep": "|"}, {(0, "town"): "Bonn, West"}, (read_as("bar-separated"),)),
    # R
    Case("r_write_csv.csv", {"index_col": 0}, {(1, "size"): np.nan}, (read_as(FIRST_NAMES),)),
    Case(
        "r_write_csv2.csv", EUROPE | {"index_col": 0}, {(0, "size"): 1.5},
        (read_as(f"semicolon-separated, with a decimal comma, {FIRST_NAMES}"),),
    ),
    Case(
        "r_write_table.txt", BLANK, {(1, "town"): "Bern West"}, (read_as(f"blank-separated, {FIRST_NAMES}"),)
    ),
    Case(
        "r_write_table_col_names_na.txt", BLANK | {"index_col": 0}, {(1, "town"): "Bern West"},
        (read_as(f"blank-separated, {FIRST_NAMES}"),),
    ),
    Case("r_write_table_tab.tsv", {"sep": "\t"}, {(0, "size"): 1.5}, (read_as(FIRST_NAMES),)),
    Case("r_no_row_names.txt", BLANK, {(2, "size"): 3.0}, (read_as("blank-separated"),)),
    Case("r_logical.csv", {"dtype": {"ok": str}}, {(0, "ok"): "TRUE", (0, "n"): 100000.0}),
    # SAS and SPSS
    Case(
        "sas_proc_export.csv", {}, {(2, "AGE"): "."},
        (
            (WordsAmongNumbersWarning, """'AGE' has numbers except '.' in 2 rows"""),
            (WordsAmongNumbersWarning, """'INCOME' has numbers except '.' in 1 row"""),
        ),
        class_name="STATUS",
    ),
    Case(
        "sas_proc_export.csv", {"na_values": "."}, {(2, "AGE"): np.nan, (3, "INCOME"): 301.5},
        options={"missing": ["."]}, class_name="STATUS",
    ),
    Case(
        "spss.csv", EUROPE, {(1, "Einkommen"): -99.0, (0, "Geschlecht"): "männlich"},
        (
            read_as("semicolon-separated, with a decimal comma"),
            (CodesForMissingWarning, "'Einkommen' has -99 in 3 rows"),
        ),
        class_name="Gruppe",
    ),
    Case(
        "spss.csv", EUROPE | {"na_values": "-99"}, {(1, "Einkommen"): np.nan, (2, "Einkommen"): 1074.2},
        (read_as("semicolon-separated, with a decimal comma"),), options={"missing": ["-99"]},
        class_name="Gruppe",
    ),
    # databases
    Case(
        "psql.txt", BAR | {"skiprows": [1], "skipfooter": 2}, {(1, "size"): np.nan, (2, "town"): None},
        (read_as("bar-separated"),),
    ),
    Case("psql_null.csv", {}, {(1, "size"): np.nan, (2, "town"): None}),
    Case(
        "psql_copy.csv", {"na_values": r"\N"}, {(1, "size"): np.nan, (2, "town"): None},
        options={"missing": [r"\N"]},
    ),
    Case(
        "psql_copy.csv", {}, {(1, "size"): r"\N", (2, "town"): r"\N"},
        ((WordsAmongNumbersWarning, r"""'size' has numbers except '\\N' in 1 row"""),),
    ),
    Case("mysql_batch.tsv", {"sep": "\t"}, {(1, "size"): np.nan, (2, "town"): None}),
    Case("sqlite_header.txt", {"sep": "|"}, {(1, "size"): np.nan}, (read_as("bar-separated"),)),
    Case("sqlite_column.txt", BLANK | {"skiprows": [1]}, {(0, "size"): 1.5}, (read_as("blank-separated"),)),
    Case(
        "sql_server.csv", {"skiprows": [1], "skipfooter": 1} | PYTHON, {(1, "size"): np.nan},
    ),
    Case(
        "mysql_boxed.txt", BAR | {"skiprows": [0, 2], "skipfooter": 2}, {(1, "size"): np.nan},
        (read_as("bar-separated, from line 2 on"),),
    ),
    Case(
        "sql_server_columns.txt", BLANK | {"skiprows": [1], "skipfooter": 2} | PYTHON, {(2, "town"): "Rom"},
        (read_as("blank-separated"),),
    ),
    Case("sql_server_no_count.csv", {"skiprows": [1]}, {(1, "size"): np.nan, (0, "town"): "Bonn"}),
    Case("oracle_spool.csv", {"skipfooter": 2} | PYTHON, {(1, "SIZE"): np.nan}, class_name="CLASS"),
    # Kaggle and UCI
    Case(
        "kaggle_train.csv", {}, {(1, "Alley"): None, (0, "Alley"): "Grvl", (1, "SalePrice"): 102500},
        ((RowNamesWarning, ID),), class_name="Class",
    ),
    Case(
        "uci_comma.data", NOTES, {(2, "V3"): np.nan, (3, "V2"): None, (0, "V4"): "<=50K"},
        (read_as("without a header (columns V1 to V4)"),), class_name="V4",
    ),
    Case(
        "uci_test_first_line.data", NOTES | {"skiprows": 1}, {(0, "V2"): "Private", (0, "V4"): "<=50K."},
        (read_as("without a header (columns V1 to V4), from line 2 on"),), class_name="V4",
    ),
    Case(
        "uci_blank.data", BLANK | {"names": ["V1", "V2", "V3", "V4", "V5"]}, {(0, "V1"): 6, (2, "V4"): 0},
        (read_as("blank-separated, without a header (columns V1 to V5)"),), class_name="V5",
    ),
    Case(
        "uci_auto_mpg.data", BLANK | {"names": [f"V{j}" for j in range(1, 10)], "na_values": "?"},
        {(2, "V4"): np.nan, (0, "V5"): 3504.0, (3, "V1"): 9.0},
        (read_as("blank-separated, without a header (columns V1 to V9)"),), class_name="V9",
    ),
    Case(
        "uci_seeds.txt", BLANK | {"names": ["V1", "V2", "V3", "V4"]}, {(2, "V3"): 0.905},
        (read_as("blank-separated, without a header"),), class_name="V4",
    ),
    Case(
        "openml_quoted_names.csv", {}, {(0, "'sepal length'"): 5.1}, class_name="'class'",
    ),
    Case(
        "uci_period.data", {"names": ["V1", "V2", "V3", "V4"]}, {(0, "V4"): "republican."},
        (read_as("without a header"),), class_name="V4",
    ),
    # Windows
    Case(
        "windows.csv", {"encoding": "cp1252", "skipfooter": 1} | PYTHON,
        {(0, "Ordner"): r"C:\neu\tab", (2, "Ordner"): "E:\\a, b\\"}, (read_as("in cp1252"),),
        class_name="Klasse",
    ),
    Case("dos_ctrl_z.csv", {"skipfooter": 1} | PYTHON, {(1, "b"): "y"}),
    Case(
        "windows_1250.csv", {"encoding": "cp1250"}, {(0, "miasto"): "Łódź"}, options={"encoding": "cp1250"},
        class_name="klasa",
    ),
    # pandas
    Case("pandas_index.csv", {"index_col": 0}, {(0, "size"): 1.5}, (read_as(FIRST_NAMES),)),
    Case(
        "pandas_unnamed.csv", {}, {(3, "Unnamed: 0"): 3},
        (
            (RowNamesWarning, "column 'Unnamed: 0' identifies rows"),
            (UninformativeColumnWarning, "column 'town' has a single value"),
        ),
    ),
    Case("pandas_bools.csv", {"dtype": {"ok": str, "class": str}}, {(0, "ok"): "True", (2, "ok"): None}),
    # text around and within
    Case("markdown.txt", BAR | {"skiprows": [1]}, {(2, "town"): "Rom"}, (read_as("bar-separated"),)),
    Case("comments.csv", {"skiprows": 2}, {(1, "town"): "Bern #2"}, (read_as("from line 3 on"),)),
    Case(
        "hash_header.txt", BLANK | {"names": ["size", "town", "class"], "skiprows": 1}, {(0, "town"): "Bonn"},
        (read_as("blank-separated"),),
    ),
    Case("trailing_separators.csv", {"usecols": ["a", "b", "class"], "index_col": False}, {(1, "b"): 4}),
    Case("two_rows.csv", {}, {(0, "a"): 1, (1, "b"): "y"}),
]  # fmt: skip


def by_hand(case: Case) -> pd.DataFrame:
    """Read a file by pandas with the options of somebody who knows it."""
    frame = pd.read_csv(HERE / case.file, **case.by_hand).reset_index(drop=True)
    framed = frame.columns[0].startswith("Unnamed") and frame.columns[-1].startswith("Unnamed")
    return frame.iloc[:, 1:-1] if framed else frame  # lines between bars


def assert_same(found: pd.DataFrame, expected: pd.DataFrame) -> None:
    """Compare names, kinds of columns, and cells."""
    assert list(found.columns) == list(expected.columns)
    assert len(found) == len(expected)
    for name in found:
        own, other = found[name], expected[name]
        if pd.api.types.is_numeric_dtype(other.dtype):
            assert own.dtype.kind == other.dtype.kind, name
            np.testing.assert_allclose(own.to_numpy(), other.to_numpy(), rtol=1e-15)
        else:
            assert own.dtype == object, name
            assert own.tolist() == [None if pd.isna(v) else v.strip() for v in other], name


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_file_is_read_as_by_hand_and_what_was_found_out_is_said(case: Case) -> None:
    source = DatasetSource("t", HERE / case.file, class_name=case.class_name, **case.options)
    expected = by_hand(case)
    y = expected.pop(case.class_name)
    if case.options.get("nominal"):
        y = y.astype(object)
    assert_same(source.content.X, expected)
    codes = source.content.codes
    assert [source.content.classes[code] for code in codes] == [
        getattr(v, "item", lambda v=v: v)() for v in y
    ]
    for (row, name), value in case.cells.items():
        own = source.content.X[name].iloc[row] if name != case.class_name else y.iloc[row]
        assert own == value or (pd.isna(own) and pd.isna(value)), (row, name)
    said = [one for one in source.content.findings if one.kind is not SingleRowClassWarning]
    assert [one.kind for one in said] == [kind for kind, _ in case.said], said
    for one, (_, words) in zip(said, case.said, strict=True):
        assert words in one.sentence


REFUSED = [
    ("insert_dump.csv", "a dump of SQL commands: load it into a database"),
    ("kaggle_train_zip.csv", "a zip archive: unpack it"),
    ("json.csv", "is JSON: read it with pandas.read_json"),
    ("json_lines.csv", "is JSON: read it with pandas.read_json"),
    ("html.csv", "is HTML: read it with pandas.read_html"),
    ("open_quote.csv", "line 2 is not CSV: a quote opens there that is not closed before line 4"),
    (
        "escaped_quotes.csv",
        "line 2 is not CSV (',' expected after '\"'): write a quote within quotes",
    ),
    ("ragged.csv", "line 3: the row has 4 values: expected 3"),
    ("more_values.csv", "line 2: the row has 3 values: expected 2"),
    ("infinite.csv", """has 'inf': expected finite numbers; missing = ["inf"] makes it missing"""),
    ("psql_expanded.txt", "psql's expanded display: switch it off"),
    ("pandas_two_headers.csv", "has two columns with the name 'size'"),
    ("uci_names.data", "line 6: the row has 2 values: expected 1"),
]


@pytest.mark.parametrize(("file", "words"), REFUSED, ids=lambda value: value if "." in value else "")
def test_what_is_no_table_is_refused_by_name(file: str, words: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        load_table(HERE / file)
    assert words in str(caught.value)


def test_the_option_that_is_named_can_be_typed() -> None:
    (said,) = DatasetSource("t", HERE / "psql_copy.csv").content.findings
    option = said.sentence.partition("missing = ")[2].partition(" makes")[0]
    assert tomllib.loads(f"missing = {option}")["missing"] == ast.literal_eval(option) == [r"\N"]


def test_a_text_of_one_column_is_said_to_be_one() -> None:
    with pytest.warns(
        ReadAsWarning, match=r"caret\.csv was read as one column; to read it otherwise, name sep"
    ):
        load_table(HERE / "caret.csv")
    X, y = load_table(HERE / "caret.csv", sep="^")
    assert (list(X), y.tolist()) == (["a", "b"], ["p", "q"])


def test_words_for_missing_values_are_of_columns_that_are_there() -> None:
    with pytest.raises(WorkbenchError, match="has no column 'prize' with missing values: did you mean"):
        load_table(HERE / "dash_and_dot.csv", missing={"prize": ["-"]})


def test_a_wrong_byte_behind_a_mark_is_refused_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"\xef\xbb\xbfa,class\n1,p\n2,\xffq\n")
    with pytest.raises(WorkbenchError, match=r"t\.csv, line 3, column 3: a byte is not utf-8"):
        load_table(tmp_path / "t.csv")


def test_a_row_of_dashes_is_a_row_but_below_a_header(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,class\n--,--\nx,p\n--,--\ny,q\n")
    X, y = load_table(tmp_path / "t.csv")
    assert (X["a"].tolist(), y.tolist()) == (["x", "--", "y"], ["p", "--", "q"])
    (tmp_path / "t.csv").write_text("a,class\n--,--\n")
    with pytest.raises(WorkbenchError, match="has a header and no rows"):
        load_table(tmp_path / "t.csv")


@pytest.mark.parametrize("text", ["a,class\n1,p\nNA,NA\n2,\n", ",a,class\nx,1,p\ny,,?\nz,2,\n"])
def test_rows_without_any_value_count_as_lines_alone(text: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(WorkbenchError, match=r"1 row without a class \(line 4\)"):
        _ = DatasetSource("t", tmp_path / "t.csv").content


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_file_is_read_alike_by_arrow_and_by_records(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    options = dict(case.options)
    columns = {name: options.pop(name, ()) for name in ("nominal", "drop")}
    asked = (HERE / case.file, TextOptions.of("t", **options), Path(case.file).suffix)
    quick = reading.read_text(*asked, **columns)
    monkeypatch.setattr(reading, "regular_rows", lambda *_: None)
    slow = reading.read_text(*asked, **columns)
    pd.testing.assert_frame_equal(quick.frame, slow.frame, check_exact=True)
    assert quick.findings == slow.findings


def test_the_command_takes_what_it_advises() -> None:
    words = CliRunner().invoke(app, ["compare", "--help"], env={"COLUMNS": "200"}).output
    assert all(f"--{name}" in words for name in ("encoding", "missing", "sep", "decimal", "drop"))


def test_a_header_may_be_longer_than_what_is_looked_at(tmp_path: Path) -> None:
    names = [f"{'long' * 400}{j}" for j in range(200)]
    table = pd.DataFrame(np.full((4, len(names)), 0.5), columns=names).assign(what=["p", "q", "p", "q"])
    table.to_csv(tmp_path / "genes.csv", index=False)
    X, y = load_table(tmp_path / "genes.csv")
    assert (list(X), y.tolist()) == (names, ["p", "q", "p", "q"])


def test_a_table_can_be_changed() -> None:
    X, _ = load_table(HERE / "two_rows.csv")
    X.loc[0, "a"] = 7
    X.loc[0, "b"] = "z"
    assert X.iloc[0].tolist() == [7, "z"]


def test_what_was_found_out_is_a_warning_of_load_table() -> None:
    with pytest.warns(
        ReadAsWarning, match=r"semicolons\.csv was read semicolon-separated, with a decimal comma"
    ):
        load_table(HERE / "semicolons.csv")

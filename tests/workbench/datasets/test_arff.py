"""ARFF, CSV and Parquet: what is read, what is refused and where, and that damaged files harm nobody."""

import gzip
import io
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal
from scipy.io import arff as scipy_arff

from tests.damage import mutated, table_or_none
from workbench import compare
from workbench.base.errors import InferredClassWarning, WorkbenchError
from workbench.datasets import load_arff, load_table, read_arff
from workbench.datasets._shared.lines import opened
from workbench.datasets.arff import rows as _arff_rows
from workbench.datasets.arff.header import read_header
from workbench.datasets.arff.reading import doubt_of_class

HEADER = "@relation r\n@attribute a {x,y}\n@attribute b numeric\n@attribute c {no,yes}\n@data\n"
NASTY = (
    "a b",
    "it's",
    'say "so"',
    "50%",
    "%",
    "{x}",
    "a,b",
    "?",
    "",
    " ",
    "back\\slash",
    "é ü",
    "\t",
    "\n",
    "@data",
)


def read(text):
    return read_arff(io.StringIO(text)).frame


def quote(text, mark="'"):
    for plain, escaped in (("\\", "\\\\"), (mark, "\\" + mark), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        text = text.replace(plain, escaped)
    return f"{mark}{text}{mark}"


@pytest.mark.parametrize("mark", ["'", '"'])
def test_nasty_names_and_values_come_back_as_they_were_written(mark):
    names = [f"{text}{i}" for i, text in enumerate(NASTY)]
    lines = [f"@attribute {quote(n, mark)} {{{', '.join(quote(v, mark) for v in NASTY)}}}" for n in names]
    rows = [",".join(quote(NASTY[(i + j) % len(NASTY)], mark) for j in range(len(names))) for i in range(5)]
    frame = read("\n".join([*lines, "@data", *rows]))
    assert list(frame.columns) == names
    assert list(frame.iloc[:, 3].cat.categories) == list(NASTY)
    expected = [[NASTY[(i + j) % len(NASTY)] for j in range(len(names))] for i in range(5)]
    assert frame.astype(object).to_numpy().tolist() == expected


def test_keywords_types_comments_and_blank_lines_are_read_in_any_form():
    text = (
        "\ufeff% a comment\n\n@RELATION 'a b'\n  @Attribute a{x, y} % values\n@attribute\tb\tREAL [0, 10]\n"
        "@attribute c Integer\n@attribute d string\n@DATA % rows\n\n x , 1e3 , -2, free text % remark, more\n"
        "% none\n\t?,?,?,?\r\n'y',\".5\",+7,'?'\n"
    )
    table = read_arff(io.StringIO(text))
    assert table.relation == "a b"
    assert [a.kind for a in table.attributes] == ["nominal", "numeric", "numeric", "string"]
    assert table.frame["a"].astype(object).tolist()[::2] == ["x", "y"]
    assert table.frame["a"].isna().tolist() == [False, True, False]
    assert np.array_equal(table.frame[["b", "c"]], [[1000, -2], [np.nan, np.nan], [0.5, 7]], equal_nan=True)
    assert table.frame["d"].fillna("missing").tolist() == ["free text", "missing", "?"]


def test_sparse_rows_take_zero_and_the_first_value_for_what_they_leave_out():
    frame = read(HEADER + "{}\n{1 5}\n{ 2 'yes' , 0 ? } % remark\n{1 ?, 0 y}\n")
    assert frame["a"].astype(object).fillna("?").tolist() == ["x", "x", "?", "y"]
    assert frame["b"].fillna(-1).tolist() == [0, 5, 0, -1]
    assert frame["c"].tolist() == ["no", "no", "yes", "no"]


def test_a_row_without_commas_is_split_at_blanks():
    frame = read(HEADER + "x 1 'no'\ny\t2\tyes % remark\n")
    assert frame["b"].tolist() == [1, 2]
    assert frame["c"].tolist() == ["no", "yes"]


def test_a_quoted_question_mark_is_a_value_and_a_bare_one_is_missing():
    frame = read("@attribute a {'?', x}\n@data\n?\n'?'\nx\n")
    assert frame["a"].isna().tolist() == [True, False, False]
    assert frame["a"][1] == "?"


REFUSED = {
    "undeclared value": (HEADER + "x,1,no\nz,1,no\n", 7, 1, "'z' is not a declared value of 'a'"),
    "no number": (HEADER + "x,1_000,no\n", 6, 3, "'1_000' is not a finite number, and 'b' is numeric"),
    "infinite": (HEADER + "x,1e999,no\n", 6, 3, "not a finite number"),
    "too few": (HEADER + "x,1\n", 6, 4, "the row has 2 values: expected 3"),
    "empty": (HEADER + "x,,no\n", 6, 3, "a value is expected"),
    "open quote": (HEADER + "x,1,'no\n", 6, 5, "the quote ' is not closed on its line"),
    "text after quote": (HEADER + "x,1,'no'yes\n", 6, 9, "a comma is expected after the closing quote"),
    "weight": (HEADER + "x,1,no,{2}\n", 6, 8, "weights of rows"),
    "sparse index": (HEADER + "{3 x}\n", 6, 2, "the index 3 is too large: expected 0 to 2"),
    "sparse index twice": (HEADER + "{0 x, 0 y}\n", 6, 7, "the index 0 occurs twice"),
    "sparse open": (HEADER + "{0 x\n", 6, 5, "the closing } is missing"),
    "sparse string": ("@attribute s string\n@data\n{}\n", 3, 1, "strings have no default"),
    "date": ("@attribute when date yyyy\n@data\n", 1, 17, "date attributes are not read"),
    "type": ("@attribute a nominall\n@data\n", 1, 14, "'nominall' is not a type of ARFF"),
    "no name": ("@attribute {a,b}\n@data\n", 1, 12, "the name of an attribute is expected"),
    "name twice": ("@attribute a real\n@attribute a real\n", 2, 12, "the attribute 'a' is declared twice"),
    "missing declared": ("@attribute a {x,?}\n", 1, 17, "? stands for a missing value"),
    "keyword": ("@atribute a real\n", 1, 1, "did you mean '@attribute'?"),
    "no data": ("@relation r\n@attribute a real\n", 3, 1, "the file ends before @data"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_malformed_is_reported_with_file_line_and_column(case, tmp_path):
    text, line, column, what = REFUSED[case]
    path = tmp_path / "some.arff"
    path.write_text(text)
    with pytest.raises(WorkbenchError) as error:
        read_arff(path)
    assert str(error.value).startswith(f"{path}, line {line}, column {column}: ")
    assert what in str(error.value)
    assert "\n" not in str(error.value)


def test_the_class_is_the_last_attribute_or_the_one_that_is_named():
    X, y = load_arff(io.StringIO(HEADER + "x,1,no\n"))
    assert (list(X), y.name) == (["a", "b"], "c")
    X, y = load_arff(io.StringIO(HEADER + "x,1,no\n"), class_name="a")
    assert (list(X), list(y.cat.categories)) == (["b", "c"], ["x", "y"])
    with pytest.raises(WorkbenchError, match="the class 'b' of the given file is numeric"):
        load_arff(io.StringIO(HEADER), class_name="b")
    with pytest.raises(WorkbenchError, match="no column 'd' for the class"):
        load_arff(io.StringIO(HEADER), class_name="d")


ODD = "@relation r\n@attribute Class {a,b}\n@attribute age {x,y}\n@data\n" + "a,x\nb,y\n" * 4


def test_a_class_before_the_last_attribute_is_warned_of(tmp_path):
    path = tmp_path / "odd.arff"
    path.write_text(ODD)
    warned = "the last attribute, 'age', is taken as the class.*called 'Class'"
    with pytest.warns(InferredClassWarning, match=warned):
        assert load_arff(path)[1].name == "age"
    with pytest.warns(InferredClassWarning, match=f"source 'odd': {warned}.*class = ") as caught:
        compare(["prior"], on=path, cv=2, metrics="accuracy")
    assert len(caught) == 1
    assert load_arff(path, class_name="Class")[1].name == "Class"


def test_no_file_of_the_papers_has_its_class_doubted(shared):
    for path in (shared / "datasets").glob("*.arff*"):
        with opened(path, "utf-8") as lines:
            names = [attribute.name for attribute in read_header(lines)[1]]
        assert not doubt_of_class(names), path


@pytest.mark.parametrize(
    ("header", "what"),
    [
        ("class,x,y", "the last column is 'y', but it also has a column 'class'"),
        ("target,a,label", "the last column is 'label', but it also has a column 'target'"),
        ("a,b,name", "the last column is 'name', but that holds 12 distinct texts in 12 rows; name the"),
    ],
)
def test_a_csv_whose_class_is_in_doubt_is_refused(header, what, tmp_path):
    path = tmp_path / "some.csv"
    path.write_text(header + "\n" + "".join(f"a{i % 2},{i},n{i}\n" for i in range(12)))
    with pytest.raises(WorkbenchError, match=what):
        load_table(path)
    assert len(load_table(path, class_name=header.split(",")[0])[1]) == 12


def test_places_in_a_plane_are_no_class(tmp_path):
    path = tmp_path / "some.csv"
    path.write_text("x,y,class\n1,2,a\n2,3,b\n")
    assert load_table(path)[1].tolist() == ["a", "b"]


def test_a_reader_of_tables_names_the_one_of_arff(tmp_path):
    with pytest.raises(WorkbenchError, match=r"or \.parquet; load_arff reads ARFF"):
        load_table(tmp_path / "labor.arff.gz")


def test_packed_files_open_files_and_other_encodings_are_read(tmp_path):
    text = HEADER.replace("y}", "é}") + "é,1,no\n"
    packed = tmp_path / "some.arff.GZ"
    packed.write_bytes(gzip.compress(text.encode()))
    expected = read(text)
    assert_frame_equal(read_arff(packed).frame, expected)
    stream = io.BytesIO(text.encode("latin-1"))
    assert_frame_equal(read_arff(stream, encoding="latin-1").frame, expected)
    assert not stream.closed
    with pytest.raises(
        WorkbenchError, match=r"line 2, column 17: a byte is not utf-8: name the file's encoding"
    ):
        read_arff(io.BytesIO(text.encode("latin-1")))


def test_files_that_cannot_be_opened_are_reported_in_one_sentence(tmp_path):
    broken = tmp_path / "broken.arff.gz"
    broken.write_bytes(gzip.compress(HEADER.encode())[:-12])
    for source, what in (
        (tmp_path / "none.arff", "No such file"),
        (tmp_path, "Is a directory"),
        (broken, "cannot be read after line"),
        (3, "expected a path or an open file"),
    ):
        with pytest.raises(WorkbenchError, match=what):
            read_arff(source)
    with pytest.raises(WorkbenchError, match="unknown encoding"):
        read_arff(io.BytesIO(b""), encoding="utf-9")


values = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(st.data())
def test_tables_of_any_values_come_back_as_they_were_written(data):
    declared = data.draw(st.lists(values, min_size=1, max_size=5, unique=True))
    row = st.tuples(st.sampled_from(declared) | st.none(), numbers | st.none(), values | st.none())
    rows = data.draw(st.lists(row, max_size=8))
    texts = [
        [
            quote(a) if a is not None else "?",
            repr(b) if b is not None else "?",
            quote(c) if c is not None else "?",
        ]
        for a, b, c in rows
    ]
    head = (
        f"@attribute a {{{','.join(map(quote, declared))}}}\n@attribute b real\n@attribute c string\n@data\n"
    )
    frame = read(head + "".join(",".join(text) + "\n" for text in texts))
    assert list(frame["a"].cat.categories) == declared
    assert [None if pd.isna(v) else v for v in frame["a"].astype(object)] == [a for a, _, _ in rows]
    assert np.array_equal(frame["b"], [math.nan if b is None else b for _, b, _ in rows], equal_nan=True)
    assert [None if pd.isna(v) else v for v in frame["c"]] == [c for _, _, c in rows]


piece = st.sampled_from(
    [
        "x",
        "y",
        " x ",
        "1",
        "-2.5",
        "?",
        "'?'",
        "'x'",
        '"y"',
        "no",
        "'no",
        "' x'",
        "",
        " ",
        "a b",
        "\\",
        "%",
        "{",
    ]
)


@given(st.lists(st.lists(piece, min_size=2, max_size=4), min_size=1, max_size=4))
def test_the_quick_way_agrees_with_the_careful_one(rows):
    header = "@attribute a {x,y,'?',' x','a b'}\n@attribute b string\n@attribute c real\n@data\n"
    text = header + "".join(",".join(row) + "\n" for row in rows)
    answers = []
    for quick in (_arff_rows._quick, lambda *_: None):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_arff_rows, "_quick", quick)
            try:
                answers.append(read(text).astype(object).fillna("missing").to_numpy().tolist())
            except WorkbenchError as error:
                answers.append(str(error))
    assert answers[0] == answers[1]


@pytest.mark.slow
def test_every_file_that_scipy_reads_is_read_alike(shared):
    n_alike = 0
    for path in sorted((shared / "datasets").glob("*.arff")):
        try:
            records, _ = scipy_arff.loadarff(str(path))
        except (ValueError, scipy_arff.ParseArffError):  # quoted values after which a blank stands
            continue
        frame = read_arff(path).frame
        for i, name in enumerate(frame.columns):
            theirs = records[records.dtype.names[i]]
            if theirs.dtype.kind == "f":
                assert np.array_equal(frame[name], theirs, equal_nan=True), (path.name, name)
            else:
                ours = frame[name].astype(object).fillna("?").tolist()
                assert ours == [text.decode() for text in theirs], (path.name, name)
        n_alike += 1
    assert n_alike >= 40


@pytest.mark.filterwarnings("ignore::workbench.datasets.LeadingZerosWarning")
def test_csv_columns_are_numbers_or_text(tmp_path):
    path = tmp_path / "some.csv"
    path.write_text('\ufeffage, who,n,code,empty,play\n1.5,"a, b",1,007,,no\n\nNA,it\'s,2,008,?,yes\n')
    X, y = load_table(path)
    assert list(X) == ["age", "who", "n", "code", "empty"]
    assert X.dtypes.astype(str).tolist() == ["float64", "object", "int64", "int64", "float64"]
    assert X["who"].tolist() == ["a, b", "it's"]
    assert X["age"].isna().tolist() == [False, True]
    assert list(y.cat.categories) == ["no", "yes"]
    assert load_table(path, class_name="n")[1].tolist() == [1, 2]
    X, _ = load_table(path, missing=["1.5"], class_name="play")
    assert X["age"].isna().all()
    X, _ = load_table(path, missing={"age": []}, class_name="play")
    assert X["age"].tolist() == ["1.5", "NA"]


def test_tabs_packed_files_and_missing_whole_classes_are_read(tmp_path):
    path = tmp_path / "some.tsv.gz"
    path.write_bytes(gzip.compress(b"a\tc\n1,5\t0\nb\t\nb\t1\n"))
    X, y = load_table(path)
    assert X["a"].tolist() == ["1,5", "b", "b"]
    assert list(y.cat.categories) == [0, 1]
    assert y.isna().tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a,b\n1,2\n1\n", "line 3: the row has 1 value: expected 2"),
        ('a,b\n1,"x"y\n', "line 2 is not CSV"),
        ("a,a\nx,y\n", "two columns with the name 'a'"),
        ("a,,b\n1,2,3\n", "no name for its column 2"),
        ("", "names no columns"),
        ("a,b\n1,inf\n", "column 'b' of .* has 'inf': expected finite numbers"),
        ("a,b\n1,0.5\n", "the class 'b' of .* is numeric"),
    ],
)
def test_a_csv_that_cannot_be_used_is_reported_in_one_sentence(text, what, tmp_path):
    path = tmp_path / "some.csv"
    path.write_text(text)
    with pytest.raises(WorkbenchError, match=what):
        load_table(path)


def test_parquet_keeps_declared_values(tmp_path):
    frame = pd.DataFrame(
        {
            "a": pd.Categorical(["y", None], ["x", "y", "z"]),
            "b": [1.5, np.nan],
            "n": pd.array([1, None], "Int64"),
            "t": ["p", None],
            "class": [True, False],
        }
    )
    frame.to_parquet(tmp_path / "some.parquet")
    X, y = load_table(tmp_path / "some.parquet")
    assert list(X["a"].cat.categories) == ["x", "y", "z"]
    assert X.dtypes.astype(str).tolist() == ["category", "float64", "float64", "object"]
    assert y.tolist() == [True, False]
    frame["when"] = pd.Timestamp("2026-01-01")
    frame.to_parquet(tmp_path / "dated.parquet")
    with pytest.raises(WorkbenchError, match=r"column 'when' of .* is datetime"):
        load_table(tmp_path / "dated.parquet", class_name="class")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1")
    with pytest.raises(WorkbenchError, match="cannot be read as Parquet"):
        load_table(tmp_path / "bad.parquet")
    with pytest.raises(WorkbenchError, match=r"ends in '\.xls': expected \.csv"):
        load_table(tmp_path / "some.xls")


ARFF = rb"""% a small file of everything
@relation 'small one'
@attribute 'out look' {sunny,'light rain',"it's"}
@attribute humidity real
@attribute note string
@attribute n integer [0,9]
@attribute play {no,yes}
@data
sunny,85,free,1,no
'light rain',?,'a, b',2,yes
"it's",-7e1,?,3,?
% remark
{0 sunny,2 x,4 yes}
sunny , 8.5 , free text , 4 , no % remark
sunny 1 a 2 yes
"""
#: 1,500 files in all: 300 are quick
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 5))]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_damaged_arff_file_is_a_right_table_or_one_sentence(seed):
    rng = np.random.default_rng(seed)
    n_read = 0
    for _ in range(300):
        content = mutated(ARFF, rng)
        table = table_or_none(content, read_arff, io.BytesIO(content))
        if table is None:
            continue
        text = content.decode().replace("\r\n", "\n").replace("\r", "\n")
        lines = [line.strip().lower() for line in text.split("\n")]
        header = next(i for i, line in enumerate(lines) if line.startswith("@data"))
        n_declared = sum(line.removeprefix("\ufeff").startswith("@attribute") for line in lines[:header])
        n_rows = sum(bool(line) and not line.startswith("%") for line in lines[header + 1 :])
        assert table.frame.shape == (n_rows, n_declared), content
        assert len(table.attributes) == n_declared
        n_read += 1
    assert 15 < n_read < 285  # the damage is neither without effect nor always deadly


def test_a_damaged_packed_file_is_one_sentence(tmp_path):
    rng = np.random.default_rng(7)
    path = tmp_path / "some.arff.gz"
    whole = gzip.compress(ARFF, mtime=0)
    for _ in range(300):
        path.write_bytes(mutated(whole, rng))
        table = table_or_none(path.read_bytes(), read_arff, path)
        assert table is None or table.frame.shape == (6, 5)


def test_lines_are_counted_across_blocks():
    rows = "x,1,no\n" * 9000
    with pytest.raises(WorkbenchError, match=r"line 9006, column 3: "):
        read(HEADER + rows + "x,z,no\n")
    with opened(io.StringIO("a\nb\nc\n"), "utf-8") as lines:
        assert [len(lines.block(2)) for _ in range(3)] == [2, 1, 0]
        assert lines.count == 3

"""Damaged files of delimited text are a right table or an error of one sentence.

What is right is told by the csv module of Python, which is given what the warning says of the layout.
"""

import csv
import io
import math
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.damage import mutated, table_or_none
from workbench.datasets import ReadAsWarning, load_table
from workbench.datasets.delimited import reading
from workbench.datasets.delimited.options import TextOptions

PLAIN = "outlook,humidity,n,play\n" + "".join(
    f"{('sunny', 'rain', 'fog')[i % 3]},{70 + i}.5,{i * i},{('no', 'yes')[i % 2]}\n" for i in range(6)
)
QUOTED = """outlook,humidity,note,play
sunny,85,"a, ""b""\",no
rainy,,it's,yes

sunny,7.5,?,no
"rainy",NA,"x
y",yes
"""
ROW_NAMES = '"","width","kind","class"\n"1",1.5,"a b","p"\n"2",NA,"c","q"\n"3",4,NA,"p"\n"4",5.25,"c","q"\n'
CONTENTS = {
    "plain": PLAIN.encode(),
    "quoted": QUOTED.encode(),
    "semicolons": PLAIN.replace(",", ";").replace(".", ",").encode(),
    "tabs": PLAIN.replace(",", "\t").replace("fog", "thick fog, rain").encode(),
    "blanks": PLAIN.replace(",", "  ").replace("fog", '"thick fog"').encode(),
    "utf16": PLAIN.replace("fog", "Nebel| dünn").replace(",", "\t").encode(),
    "row_names": ROW_NAMES.encode(),
}
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "blank": " "}
MISSING = {
    *("", "?", "NA", "N/A", "n/a", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None", "<NA>", "#N/A"),
    *("#N/A N/A", "#NA", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"),
}


def told(said: str) -> tuple[str, str, int, bool, bool]:
    """Return separator, encoding, first line, and whether there are a header and names of rows."""
    sep = re.search(r"(comma|semicolon|tab|bar|blank)-separated|([^ ])-separated", said)
    encoding = re.search(r"in (utf-\S+|cp1252|latin-1|mac-roman)\b", said)
    above = re.search(r"from line (\d+) on", said)
    return (
        SEPARATORS.get(sep[1], sep[2]) if sep else ",",
        encoding[1].rstrip(",;") if encoding else "utf-8-sig",
        int(above[1]) if above else 1,
        "without a header" not in said,
        "without its first column" in said,
    )


def as_csv_reads(content: bytes, said: str) -> tuple[list[str] | None, list[list[str]]]:
    """Return names, None if there are none, and rows as Python's csv reads them."""
    sep, encoding, above, has_header, row_names = told(said)
    text = content.decode(encoding).removeprefix("\ufeff").removesuffix("\x1a")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = "\n".join(text.split("\n")[above - 1 :])
    text = text.replace("\t", " ") if sep == " " else text
    rows = list(csv.reader(io.StringIO(text), delimiter=sep, skipinitialspace=sep != "\t", strict=True))
    if sep == " ":
        rows = [row[:-1] if row and not row[-1] else row for row in rows]
    if sep == "|" and all(not row[0].strip() and not row[-1].strip() for row in rows if row):
        rows = [row[1:-1] for row in rows]
    rows = [[value.strip() for value in row] for row in rows if any(map(str.strip, row))]
    names = rows.pop(0) if has_header else None
    if names is not None:
        while not names[-1]:
            names.pop()
        n_values = max(map(len, rows))
        names = ["", *names] if row_names and names[0] and len(names) < n_values else names
        names[0] = names[0].removeprefix("#").strip() if len(names) > 1 else names[0]
    n_names = len(names) if names is not None else max(len(row) for row in rows)
    assert all(not any(row[n_names:]) for row in rows)
    rows = [row[row_names:n_names] for row in rows]
    rows = [row for row in rows if not set(row) <= MISSING]
    return names[row_names:] if names is not None else None, rows


def meanings(text: str) -> set[float]:
    """Return the numbers for which a text may stand."""
    bare = re.sub(r"^(-?)[$€£]|[%€]$|[ \u00a0\u202f']", r"\1", text)
    texts = {bare, bare.replace(",", ""), bare.replace(",", "."), bare.replace(".", "").replace(",", ".")}
    found = set()
    for one in texts:
        if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", one):
            found.add(float(one))
    return found


def assert_right(content: bytes, X: pd.DataFrame, y: pd.Series, said: str) -> None:
    names, rows = as_csv_reads(content, said)
    frame = X.assign(**{str(y.name): y.astype(object)})
    assert names is None or list(frame.columns) == names
    assert frame.shape == (len(rows), len(rows[0]))
    for j, name in enumerate(frame.columns):
        for cell, row in zip(frame[name].tolist(), rows, strict=True):
            if cell is None or (isinstance(cell, float) and math.isnan(cell)):
                assert row[j] in MISSING
            elif isinstance(cell, str):
                assert cell == row[j]
            else:
                assert cell in meanings(row[j])


def damaged(kind: str, rng: np.random.Generator) -> bytes:
    content = mutated(CONTENTS[kind], rng)
    return content.decode(errors="replace").encode("utf-16") if kind == "utf16" else content


def n_read(kind: str, seed: int, n_files: int, path: Path) -> int:
    rng = np.random.default_rng(seed)
    n = 0
    for _ in range(n_files):
        content = damaged(kind, rng)
        path.write_bytes(content)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            table = table_or_none(content, load_table, path)
        if table is None:
            continue
        said = [str(one.message) for one in caught if one.category is ReadAsWarning]
        try:
            assert_right(content, *table, said[0] if said else "")
        except Exception as error:
            error.add_note(f"{content!r} {said} {table}")
            raise
        n += 1
    return n


@pytest.mark.parametrize("kind", CONTENTS)
def test_a_damaged_file_is_a_right_table_or_one_sentence(kind: str, tmp_path: Path) -> None:
    # the damage is neither without effect nor always deadly
    assert 4 < n_read(kind, 0, 43, tmp_path / "some.csv") < 43


@pytest.mark.slow
@pytest.mark.parametrize("kind", CONTENTS)
def test_many_damaged_files_are_right_tables_or_one_sentence(kind: str, tmp_path: Path) -> None:
    assert 140 < n_read(kind, 1, 1386, tmp_path / "some.csv") < 1386


@pytest.mark.slow
def test_damaged_files_of_all_kinds_are_read_alike_by_arrow_and_by_records(
    tmp_path: Path, monkeypatch
) -> None:
    rng, n = np.random.default_rng(0), 0
    for source in sorted(Path(__file__).parent.glob("*.[!p]*")):
        path = tmp_path / f"some{source.suffix}"
        for _ in range(20):
            content = mutated(source.read_bytes(), rng)
            path.write_bytes(content)
            quick = table_or_none(content, read, path)
            with monkeypatch.context() as patch:
                patch.setattr(reading, "regular_rows", lambda *_: None)
                slow = table_or_none(content, read, path)
            assert (quick is None) == (slow is None), content
            if quick is not None and slow is not None:
                pd.testing.assert_frame_equal(quick.frame, slow.frame, check_exact=True)
                n += 1
    assert n > 400


def read(path: Path) -> reading.TextTable:
    return reading.read_text(path, TextOptions(), path.suffix)

"""Predictions as OpenML, H2O, mlr3, tidymodels, caret and pandas write them, and formats that are refused."""

import bz2
import gzip
import lzma
import pickle
import zipfile
from io import BytesIO, StringIO

import joblib
import numpy as np
import pandas as pd
import pytest

from workbench.base.errors import WorkbenchError
from workbench.forecasts.files import on_same_rows, read_predictions

OPENML = """% Made for task 59
%
@RELATION openml_task_59_predictions

@ATTRIBUTE repeat NUMERIC
@ATTRIBUTE fold NUMERIC
@ATTRIBUTE sample NUMERIC
@ATTRIBUTE row_id NUMERIC
@ATTRIBUTE 'confidence.Iris-virginica' NUMERIC
@ATTRIBUTE 'confidence.Iris-setosa' NUMERIC
@ATTRIBUTE 'confidence.it is none' NUMERIC
@ATTRIBUTE prediction {Iris-setosa, Iris-virginica, 'it is none'}
@ATTRIBUTE correct {Iris-setosa, Iris-virginica, 'it is none'}

@DATA
0,0,0,17,0.032258,0.967742,0,Iris-setosa,Iris-setosa
0,0,0,3,0.9,0.05,0.05,Iris-virginica,Iris-setosa
% the other part
0,1,0,5,0.25,0.75,0,Iris-virginica,Iris-virginica
1,0,0,17,0.2,0.8,0,Iris-setosa,Iris-setosa
1,1,0,3,1,0,0,Iris-virginica,?
"""
H2O = "predict,p0,p1,cal_p0,cal_p1,actual\n0,0.75,0.25,0.5,0.5,0\n1,0.625,0.375,0.4,0.6,1\n"


def read(text, **options):
    return read_predictions(StringIO(text), **options)


class TestOpenML:
    def test_its_arff_is_read(self):
        found = read(OPENML)
        assert found.classes == ("Iris-setosa", "Iris-virginica", "it is none")  # the last in no row
        assert found.y_true.tolist() == ["Iris-setosa", "Iris-setosa", "Iris-virginica", "Iris-setosa"]
        wanted = [[0.967742, 0.032258, 0], [0.05, 0.9, 0.05], [0.75, 0.25, 0], [0.8, 0.2, 0]]
        np.testing.assert_allclose(found.y_prob, wanted, rtol=1e-15)
        assert (found.n_missing, found.n_contradicted, found.half_unit) == (1, 1, 0.5e-6)
        assert found.lines.tolist() == [16, 17, 19, 20]

    def test_each_fold_of_each_repeat_is_a_fold(self):
        assert read(OPENML).folds.tolist() == [0, 0, 1, 2]

    def test_rows_of_several_repeats_are_named_by_both(self):
        with pytest.raises(WorkbenchError, match=r"the same name, '17': .*row=\[\"repeat\", \"row_id\"\]"):
            read(OPENML, row="row_id")
        one = read(OPENML, row=["repeat", "row_id"])
        assert one.names == ("0, 17", "0, 3", "0, 5", "1, 17")
        start, rows = OPENML.split("@DATA\n")
        other = read(f"{start}@DATA\n" + "".join(rows.splitlines(True)[::-1]), row=["repeat", "row_id"])
        same = on_same_rows({"one": one, "other": other})
        np.testing.assert_array_equal(*same.by_learner.values())

    def test_paths_and_their_errors_have_names_and_lines(self, tmp_path):
        path = tmp_path / "predictions.arff"
        path.write_text(OPENML)
        assert read_predictions(path).n_samples == 4
        (tmp_path / "p.arff.gz").write_bytes(gzip.compress(OPENML.encode(), mtime=0))
        assert read_predictions(tmp_path / "p.arff.gz").n_samples == 4
        for old, new, message in (
            ("0.25,0.75", "0.25,0.55", "line 19: the probabilities of .* sum to 0.8"),
            ("0.25,0.75", "0.25,?", r"line 19: '\?' stands for class 'Iris-setosa'"),
            ("0.25,0.75", "0.25,much", "line 19, column 14: 'much' is not a finite number"),
            ("-virginica' NUM", "' NUM", "which has .*'confidence.Iris'"),
            ("correct", "right", "use actual= .*leave it out: add it from the data set, by row_id"),
        ):
            path.write_text(OPENML.replace(old, new))
            with pytest.raises(WorkbenchError, match=rf"predictions\.arff.*{message}"):
                read_predictions(path)

    def test_any_other_arff_is_a_table_too(self):
        text = "@relation r\n@attribute yes real\n@attribute happened {None,yes}\n@data\n0.25,yes\n0.5,None\n"
        found = read(text, actual="happened", positive="yes")
        assert found.classes == ("None", "yes")  # a declared value, which is not missing
        assert found.y_prob.tolist() == [[0.75, 0.25], [0.5, 0.5]]


class TestTables:
    def test_h2o_writes_p_before_integers_alone(self):
        found = read(H2O)
        assert found.classes == ("0", "1")
        assert found.y_prob.tolist() == [[0.75, 0.25], [0.625, 0.375]]
        assert found.n_contradicted == 1
        assert "H2O" in found.notes[-1]
        found = read("predict,no,yes,y\nno,0.75,0.25,yes\nyes,0.5,0.5,no\n", actual="y")
        assert found.classes == ("no", "yes")
        signed = "predict,p.1,p1,actual\n-1,0.75,0.25,-1\n1,0.5,0.5,1\n"  # by way of R
        assert read(signed).classes == ("-1", "1")
        with pytest.raises(WorkbenchError, match="class '1a' has no column"):
            read("p1a,pb,actual\n0.5,0.5,1a\n0.5,0.5,b\n")

    def test_a_class_of_h2o_that_no_row_names_is_found(self):
        text = "predict,p0,p1,p2,cal_p0,cal_p1,cal_p2,actual\n0,0.7,0.1,0.2,0.7,0.2,0.1,0\n"
        with pytest.raises(WorkbenchError, match="to one together with 'p2'"):
            read(text + "1,0.1,0.6,0.3,0.1,0.8,0.1,1\n")

    def test_mlr3_is_read(self):
        text = "row_ids,truth,response,prob.a b,prob.c-d\n4,a b,a b,0.75,0.25\n9,c-d,a b,0.5,0.5\n"
        for one in (text, text.replace("prob.a b", "prob.a.b").replace("prob.c-d", "prob.c.d")):
            found = read(one, row="row_ids")
            assert (found.classes, found.names) == (("a b", "c-d"), ("4", "9"))
            assert found.y_prob.tolist() == [[0.75, 0.25], [0.5, 0.5]]

    def test_tidymodels_is_read_with_the_truth_by_its_own_name(self):
        text = ".pred_class,.pred_a b,.pred_2,id,.row,species,.config\n"
        text += "a b,0.75,0.25,Fold1,1,a b,pre0_mod1\n2,0.125,0.875,Fold2,7,2,pre0_mod1\n"
        found = read(text, actual="species", row=".row")
        assert (found.classes, found.names) == (("a b", "2"), ("1", "7"))
        assert found.y_prob.tolist() == [[0.75, 0.25], [0.125, 0.875]]

    @pytest.mark.parametrize("setting", ["0.01", "0", "1", "0.05"])
    def test_caret_is_read_with_the_settings_that_were_tuned(self, setting):
        text = '"","pred","obs","a","b","rowIndex","cp","mtry","Resample"\n'
        text += f'"1","a","a",0.95,0.05,1,{setting},2,"Fold1"\n"2","b","b",0.333333333333333,'
        text += f'0.666666666666667,4,{setting},1,"Fold1"\n"3","a","a",0.05,0.95,1,{setting},2,"Fold2"\n'
        found = read(text, row=["rowIndex", "Resample"])
        assert (found.classes, found.names) == (("a", "b"), ("1, Fold1", "4, Fold1", "1, Fold2"))
        assert found.n_contradicted == 1
        lost = text.replace('"b",0.', '"a",0.').replace('"b","rowIndex"', '"c","rowIndex"')
        with pytest.raises(WorkbenchError, match="to one together with 'c', whose"):
            read(lost)

    @pytest.mark.parametrize("kind", ["parquet", "feather"])
    def test_parquet_and_feather_are_read(self, kind, tmp_path):
        frame = pd.DataFrame(
            {
                "obs": pd.Categorical(["no", "yes", None, "no"]),
                "no": np.array([0.9, 0.3, 0.5, 1.0], dtype=np.float32),
                "yes": np.array([0.1, 0.7, 0.5, 0.0], dtype=np.float32),
                "id": [3, 4, 5, 6],
            }
        )
        path = tmp_path / f"predictions.{kind}"
        getattr(frame, f"to_{kind}")(path)
        with path.open("rb") as file:
            for found in (read_predictions(path, row="id"), read_predictions(file, row="id")):
                assert (found.classes, found.names) == (("no", "yes"), ("3", "4", "6"))
                np.testing.assert_allclose(found.y_prob, [[0.9, 0.1], [0.3, 0.7], [1, 0]], rtol=1e-15)
                assert (found.n_missing, found.half_unit) == (1, 0.05)
                assert found.lines.tolist() == [1, 2, 4]
        getattr(frame.replace({"yes": {0.0: 0.5}}), f"to_{kind}")(path)
        with pytest.raises(WorkbenchError, match=rf"predictions\.{kind}, row 4: .* sum to 1.5"):
            read_predictions(path)
        path.write_bytes(path.read_bytes()[:100])
        with pytest.raises(WorkbenchError, match=rf"is a {kind.title()} file that cannot be read"):
            read_predictions(path)

    def test_an_index_with_names_is_a_column(self, tmp_path):
        frame = pd.DataFrame({"obs": [1, 0], "0": [0.25, 0.5], "1": [0.75, 0.5]}, index=["x", "y"])
        frame.rename_axis("id").to_parquet(tmp_path / "p.parquet")
        assert read_predictions(tmp_path / "p.parquet", row="id").names == ("x", "y")


class Bomb:
    def __reduce__(self):
        return (pytest.fail, ("the pickle was run",))


def zipped(name):
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, "1")
    return file.getvalue()


def dumped(**options):
    file = BytesIO()
    joblib.dump(Bomb(), file, **options)
    return file.getvalue()


PICKLE = r"is a pickle \(joblib\), which can run code when read: write it with to_csv or to_parquet"
OF_R = "is R's own"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("p.pkl", pickle.dumps(Bomb()), PICKLE),
        ("p.dat", pickle.dumps(Bomb(), protocol=2), PICKLE),
        ("p.pickle", pickle.dumps(Bomb(), protocol=0), PICKLE),
        ("p.joblib", dumped(), PICKLE),
        ("p.z", dumped(compress=("zlib", 3)), PICKLE),
        ("p.pkl.gz", dumped(compress=("gzip", 3)), PICKLE),
        ("p.npz", zipped("y_prob.npy"), "is numpy's"),
        ("p.npy", b"\x93NUMPY\x01\x00v\x00{'descr': '<f8'}", "is numpy's"),
        ("p.xlsx", zipped("xl/workbook.xml"), "is a spreadsheet: save it as CSV"),
        ("p.ods", zipped("content.xml"), "is a spreadsheet"),
        ("p.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is a spreadsheet"),
        ("p.zip", zipped("predictions.csv"), "is a zip archive: unpack it"),
        ("p.zip", b"PK\x03\x04cut off", "is a zip archive: unpack it"),
        ("p.rds", gzip.compress(b"X\n\x00\x00\x00\x03", mtime=0), OF_R),
        ("p.RData", gzip.compress(b"RDX3\nX\n\x00\x00\x00\x03", mtime=0), OF_R),
        ("p.rds", b"X\n\x00\x00\x00\x03", OF_R),
        ("p.csv.bz2", bz2.compress(b"obs,a,b\n"), "is compressed by bzip2: unpack it"),
        ("p.csv.xz", lzma.compress(b"obs,a,b\n"), "is compressed by xz"),
        ("p.h5", b"\x89HDF\r\n\x1a\n", "is HDF5: write it with to_csv"),
        ("p.json", b'[\n  {"obs": "a", "a": 0.5}\n]\n', "is JSON: read it with pandas.read_json"),
        ("p.jsonl", b'{"obs": "a", "a": 0.5}\n', "is JSON"),
        ("p.json", b"[[0.5, 0.5]]", "is JSON"),
    ],
)
def test_other_formats_are_refused_by_name(name, content, message, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(WorkbenchError, match=rf"{name} {message}"):
        read_predictions(path)
    with path.open("rb") as file, pytest.raises(WorkbenchError, match=message):
        read_predictions(file)


def test_files_that_are_open_are_read_from_where_they_stand():
    file = BytesIO(b"a note\nobs,a,b\na,0.75,0.25\nb,0.5,0.5\n")
    file.readline()
    assert read_predictions(file).n_samples == 2


def test_a_file_that_cannot_go_back_is_read():
    class Stream(BytesIO):
        def seekable(self):
            return False

        def seek(self, *_):
            raise AssertionError("it cannot go back")

    assert read_predictions(Stream(b"obs,a,b\na,0.75,0.25\nb,0.5,0.5\n")).n_samples == 2

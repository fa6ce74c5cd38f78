"""Files of predictions that other programs wrote are read, and real faults named with their line."""

import io
from io import BytesIO, StringIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.base.errors import WorkbenchError
from workbench.forecasts.files import on_same_rows, read_predictions
from workbench.forecasts.files.tables import make_name
from workbench.metrics import class_prior, ir_b

WEKA = """inst#,actual,predicted,error,distribution,,
1,1:Iris-setosa,1:Iris-setosa,,*1,0,0
2,2:Iris-versicolor,3:Iris-virginica,+,0,0.3,*0.7
3,3:Iris-virginica,3:Iris-virginica,,0,0.083,*0.917
"""
R = """"","obs","Iris.setosa","Iris.versicolor","Iris.virginica","rowIndex"
"7","Iris-setosa",1,1e-20,0,7
"9","Iris-virginica",0.25,0.25,0.5,9
"11","Iris-versicolor",0,0.75,0.25,11
"""
PLAIN = """=== Predictions on test data ===

    inst#     actual  predicted error distribution (id)
        1 1:no      1:no         *0.6,0.4 (7)
        2 2:yes or so      1:no   +   *0.6,0.4 (8)
        3        1:?      2:yes or so         0.25,*0.75 (9)

=== Summary ===

Correctly Classified Instances           1               50      %
"""


def read(text, **options):
    return read_predictions(StringIO(text), **options)


def test_weka_csv_is_read() -> None:
    found = read(WEKA)
    assert found.classes == ("Iris-setosa", "Iris-versicolor", "Iris-virginica")
    assert found.y_true.tolist() == list(found.classes)
    np.testing.assert_allclose(found.y_prob, [[1, 0, 0], [0, 0.3, 0.7], [0, 0.083, 0.917]])
    assert (found.lines.tolist(), found.folds.tolist(), found.n_missing) == ([2, 3, 4], [0, 0, 0], 0)
    assert found.half_unit == 0.0005
    assert found.n_zero == 0


def test_tabs_and_attributes_behind_the_distribution_are_read() -> None:
    text = "inst#,actual,predicted,error,distribution,,,id,place\n1,1:a,1:a,,*0.5,0.2,0.3,7,'x, y'\n"
    text += "2,3:c,2:'b,+,0.1,*0.5,0.4,8,z\n"
    for one in (text, text.replace(",", "\t")):
        found = read(one, row="id")
        assert found.names == ("7", "8")
        assert found.classes == ("a", "'b", "c")
    assert read(text).names is None
    with pytest.raises(WorkbenchError, match=r"line 1: there is no attribute 'nr'.*option -p"):
        read(text, row="nr")


def test_folds_are_where_the_numbers_begin_anew_with_a_header_or_without() -> None:
    header, *rows = WEKA.splitlines(keepends=True)
    three = "".join([header, *rows, *rows[:1], header, *rows[:2]])
    assert read(three).folds.tolist() == [0, 0, 0, 1, 2, 2]
    each_alone = "".join(f"1,{row.split(',', 1)[1]}" for row in rows)
    assert read(header + each_alone).folds.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("\n3,", "\n2,", "line 4: the row has number 2, but expected 3, or 1 at the start of a fold"),
        ("\n1,", "\n2,", "line 2: the row has number 2, but expected 1"),
    ],
)
def test_rows_of_weka_count_up_by_one(old, new, message) -> None:
    assert WEKA.count(old) == 1
    with pytest.raises(WorkbenchError, match=message):
        read(WEKA.replace(old, new))


def test_headers_without_their_last_separators_are_named() -> None:
    found = "line 2: expected 5 fields, but found 7"
    for sep in ",;\t":
        with pytest.raises(WorkbenchError, match=found):
            read(WEKA.replace(",,\n", "\n", 1).replace(",", sep))


@pytest.mark.parametrize(
    "text, message",
    [
        (WEKA.replace("0.", "0,"), "line 3"),
        (
            WEKA.replace(",", "\t").replace("0.", "0,"),
            "line 3: '0,3' stands .*: decimal commas cannot be read",
        ),
        (PLAIN.replace("0.", "0,"), "line 4"),
    ],
)
def test_decimal_commas_are_named(text, message) -> None:
    with pytest.raises(WorkbenchError, match=message):
        read(text)


def test_a_table_with_decimal_commas_is_read() -> None:
    assert read("obs;a;b\na;0,7;0,3\nb;0,4;0,6\n").y_prob.tolist() == [[0.7, 0.3], [0.4, 0.6]]


def test_semicolons_of_a_spreadsheet_are_read() -> None:
    np.testing.assert_array_equal(read(WEKA.replace(",", ";")).y_prob, read(WEKA).y_prob)


def test_what_stands_around_the_predictions_is_passed_over() -> None:
    text = f"=== Predictions on test data ===\n\n{WEKA}\n=== Summary ===\n\nKappa statistic  0.9\n"
    np.testing.assert_array_equal(read(text).y_prob, read(WEKA).y_prob)


def test_plain_text_is_read_and_rows_without_a_class_are_counted() -> None:
    found = read(PLAIN)
    assert found.classes == ("no", "yes or so")
    assert found.y_true.tolist() == ["no", "yes or so"]
    assert found.n_missing == 1
    assert found.notes[0].startswith("1 row left out")


def test_labels_cut_off_in_plain_text_are_those_declared() -> None:
    text = PLAIN.replace("yes or so", "yes or")
    assert read(text, classes=["no", "yes or so"]).classes == ("no", "yes or so")
    both = text.replace("1:no", "1:yes or")
    with pytest.raises(WorkbenchError, match=r"two classes .* are called 'yes or'"):
        read(both)


def test_quoted_labels_of_weka_are_the_bare_ones() -> None:
    text = "inst#,actual,predicted,error,distribution,\n"
    text += "1,1:'a b',1:a b,,*1,0\n2,2:'it\\'s ?',1:a b,+,*0.9,0.1\n3,2:'?',2:it's ?,,0,*1\n"
    with pytest.raises(WorkbenchError, match=r"line 4: class 2 is '\?' here, but \"it's \?\" in other"):
        read(text)
    found = read(text.replace("2:'?'", "1:?"))  # bare: missing
    assert found.classes == ("a b", "it's ?")
    assert found.n_missing == 1


def test_a_class_in_no_row_is_named_by_the_caller() -> None:
    text = "".join(WEKA.splitlines(keepends=True)[:2])
    with pytest.raises(WorkbenchError, match=r"class 2 of 3 .*classes="):
        read(text)
    names = ["Iris-setosa", "Iris-versicolor", "Iris-virginica"]
    assert read(text, classes=names).classes == tuple(names)
    with pytest.raises(WorkbenchError, match="line 2: class 1 is 'Iris-setosa' here, but 'Iris-virginica'"):
        read(text, classes=names[::-1])


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("0.083,*0.917", "0.083,*0.617", "line 4: .* sum to 0.7"),
        ("0.083", "x", "line 4: 'x' stands for class 'Iris-versicolor'"),
        ("0.083", "-0.083", "line 4: -0.083 stands for class 'Iris-versicolor'"),
        ("0.083,*0.917", "*0.083,0.917", "line 4: class 3:Iris-virginica is predicted, but the star"),
        ("0.083,*0.917", "?", "line 4"),
        (",,0,0.083,*0.917", ",,?", r"line 4: Weka printed no distribution \(\?\)"),
        ("3,3:Iris-virginica,3", "3,2:Iris-virginica,3", "line 4: class 2 is 'Iris-virginica' here, but"),
        ("\n3,", "\nthree,", "line 4"),
        (WEKA[WEKA.index("\n") :], "\n", "but no row below it"),
    ],
)
def test_faults_in_weka_files_are_named_with_their_line(old, new, message) -> None:
    assert WEKA.count(old) == 1
    with pytest.raises(WorkbenchError, match=message):
        read(WEKA.replace(old, new))


def test_tables_of_r_are_read_with_names_that_r_made() -> None:
    found = read(R, row="")
    assert found.classes == ("Iris-setosa", "Iris-versicolor", "Iris-virginica")
    assert found.y_prob[1].tolist() == [0.25, 0.25, 0.5]
    assert found.names == ("7", "9", "11")
    assert found.half_unit < 1e-19


def test_classes_stand_in_the_order_of_their_columns() -> None:
    found = read("obs,yes,no\nno,0.2,0.8\nyes,0.6,0.4\n")
    assert found.classes == ("yes", "no")
    assert read("obs,yes,no\nno,0.2,0.8\n", classes=["no", "yes"]).y_prob.tolist() == [[0.8, 0.2]]


@pytest.mark.parametrize(
    "text, options",
    [
        ("truth,.pred_a,.pred_b\na,0.7,0.3\nb,0.5,0.5\n", {}),
        ("obs\ta\tb\r\na\t0.7\t0.3\r\n\r\nb\t0.5\t0.5\r\n", {}),
        ("class,pa,pb\na,0.7,0.3\nb,0.5,0.5\n", {"actual": "class", "columns": {"a": "pa", "b": "pb"}}),
        ("\ufeffobs,a,b\na,0.7,0.3\nNA,0.1,0.9\nb,0.5,0.5\n,1,0\n", {}),
    ],
)
def test_other_tables_are_read(text, options) -> None:
    found = read_predictions(BytesIO(text.encode()), **options)
    assert found.classes == ("a", "b")
    assert found.y_true.tolist() == ["a", "b"]
    assert found.y_prob.tolist() == [[0.7, 0.3], [0.5, 0.5]]


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("0.25,0.25,0.5", "0.25,0.25,0.2", "line 3: .* sum to 0.7"),
        ("0.25,0.25,0.5", "0.25,NA,0.5", "line 3: 'NA' stands for class 'Iris-versicolor'"),
        ("0.25,0.25,0.5", "25,25,50", "line 3: 25 stands for class .* from 0 to 1"),
        ("0.25,0.25,0.5", "0.25,0.5", "line 3: the row has 5 values: expected 6"),
        ("Iris.virginica", "virginica", "class 'Iris-virginica' has no column in .*"),
        ("obs", "Species", "use actual= to name the column"),
    ],
)
def test_faults_in_tables_are_named(old, new, message) -> None:
    assert R.count(old) == 1
    with pytest.raises(WorkbenchError, match=message):
        read(R.replace(old, new))


def test_a_class_that_is_not_declared_is_refused_where_it_happened() -> None:
    with pytest.raises(WorkbenchError, match="line 3: the true class is 'maybe'"):
        read("obs,no,yes\nno,1,0\nmaybe,0,1\n", classes=["no", "yes"])
    with pytest.raises(WorkbenchError, match="name at least two classes"):
        read("obs,no,yes\nno,1,0\n", classes="no")


LOST = """"","obs","X1","X2.x","X3","id"
"1","1",0.9,0.05,0.05,0.25
"2",NA,0.1,0.8,0.1,0.5
"3","3",0.05,0.05,0.9,0.75
"""


def test_a_class_that_no_row_names_does_not_vanish() -> None:
    with pytest.raises(WorkbenchError, match=r"line 2: .* 0.95.*'X2.x'"):
        read(LOST)
    for named in ({"classes": ["1", "2 x", "3"]}, {"columns": {"1": "X1", "2 x": "X2.x", "3": "X3"}}):
        found = read(LOST, **named)
        assert found.classes == ("1", "2 x", "3")
        assert found.y_prob.tolist() == [[0.9, 0.05, 0.05], [0.05, 0.05, 0.9]]
        assert "1 row" in found.notes[0]


@pytest.mark.parametrize(
    "text, lost",
    [
        ("obs,a,b,c\na,0.98,0.01,0.01\nb,0.05,0.95,0.00\n", "'c'"),
        ("obs,a,b,c\na,0.333,0.333,0.333\nb,0.667,0.333,0\n", "'c'"),
        ("obs,a,b,c,d,junk\na,0.7,0.1,0.1,0.1,0.05\nb,0.1,0.5,0.2,0.2,0.05\n", "'c', 'd'"),
        ("obs,a,b,c\n" + "a,0.333,0.666,0\n" * 20 + "b,0.5,0.495,0.005\n", "'c'"),
    ],
)
def test_lost_classes_are_found_by_the_sums(text, lost) -> None:
    with pytest.raises(WorkbenchError, match=rf"line \d+: .* to one together with {lost}"):
        read(text)


@pytest.mark.parametrize(
    "text",
    [
        "obs,a,b,p\na,0.9,0.1,0.1\nb,0.2,0.8,0\n",
        "obs,a,b,p\na,0.333,0.666,0.9\nb,0.001,1,0.9\n",
        "obs,a,b,p\na,0.666666666666667,0.333333333333333,1e-17\nb,0.05,0.95,1\n",
    ],
)
def test_other_columns_are_left_alone(text) -> None:
    assert read(text).classes == ("a", "b")


def test_rows_of_the_same_name_and_files_without_any_class_are_refused() -> None:
    with pytest.raises(WorkbenchError, match=r"two rows of .* have the same name"):
        read("id,obs,a,b\n1,a,1,0\n1,b,1,0\n", row="id")
    with pytest.raises(WorkbenchError, match=r"no row"):
        read("obs,a,b\n?,1,0\n", classes=["a", "b"])


@pytest.mark.parametrize(
    "numbers, is_rounding",
    [
        (["0.333", "0.333", "0.333"], True),
        (["0.667", "0.333", "0.001"], True),
        (["0.334", "0.334", "0.334"], False),
        (["0.3331", "0.3331", "0.3331"], False),
        (["0.33333334", "0.33333334", "0.33333334"], True),
        (["0", "0", "0"], False),
        (["0.2", "0.2", "0.2"], False),
        (["0.95", "0.045", "0"], False),
        (["0.9", "0.05", "0.0490001"], False),
        (["0.666666666666667", "0.333333333333333", "1e-17"], True),
    ],
)
def test_sums_are_off_by_rounding_or_refused(numbers, is_rounding) -> None:
    text = f"obs,a,b,c\na,{','.join(numbers)}\n"
    if is_rounding:
        found = read(text, classes=["a", "b", "c"])
        assert found.y_prob.sum() == pytest.approx(1.0, abs=1e-15)
        assert found.n_rescaled == int(abs(sum(map(float, numbers)) - 1.0) > 1e-12)
    else:
        with pytest.raises(WorkbenchError, match=r"line 2: .* no rounding to two"):
            read(text, classes=["a", "b", "c"])


@given(
    st.lists(st.lists(st.integers(0, 1000), min_size=4, max_size=4).filter(any), min_size=1, max_size=8),
    st.integers(2, 9),
)
def test_what_weka_rounds_is_read_within_its_rounding(weights, decimals) -> None:
    y_prob = np.array(weights) / np.sum(weights, axis=1, keepdims=True)
    lines = ["inst#,actual,predicted,error,distribution,,,"]
    for number, row in enumerate(y_prob, start=1):
        best = int(row.argmax())
        cells = ["*" * (i == best) + f"{p:.{decimals}f}".rstrip("0").rstrip(".") for i, p in enumerate(row)]
        lines.append(f"{number},1:a,{best + 1}:{'abcd'[best]},,{','.join(cells)}")
    found = read("\n".join(lines), classes=list("abcd"))
    assert found.n_samples == len(y_prob)
    # half a unit each, and what dividing by the sum moves
    np.testing.assert_allclose(found.y_prob, y_prob, atol=3 * 10.0**-decimals)


@pytest.mark.parametrize("label", ["1", "a b", "<=50K", "if", "..1", "é", "-"])
def test_names_that_r_makes_begin_and_go_on_as_names_must(label) -> None:
    name = make_name(label)
    assert name.replace(".", "a").isidentifier()
    assert not name[0].isdigit()
    assert make_name(name) == name


def test_a_zero_that_happened_is_counted_and_noted() -> None:
    found = read("obs,a,b\na,0,1\nb,0.004,0.996\n")
    assert found.zero.tolist() == [True, False]
    assert "0.0005" in found.notes[0]
    assert ir_b(found.y_true, found.y_prob, prior=found.prior("test"), classes=found.classes) == -np.inf


def test_the_prior_is_that_of_the_training_rows() -> None:
    found = read("obs,b,a\na,0,1\nb,0.4,0.6\nb,1,0\n")
    wanted = class_prior(["a", "b", "a", "a"], classes=["b", "a"])
    assert found.prior(["a", "b", "a", "a"]).tolist() == wanted.tolist()
    assert found.prior({"a": 3, "b": 1}).tolist() == wanted.tolist()
    assert found.prior({"a": 10**12}).sum() == pytest.approx(1.0)
    assert found.prior("test").tolist() == class_prior(["a", "b", "b"], classes=["b", "a"]).tolist()


@pytest.mark.parametrize(
    "training, message",
    [
        ("train.csv", "the training rows are 'train.csv'"),
        ({"a": 3, "c": 0}, "have class 'c', but the predictions only b, a"),
        ({"a": -1}, "class 'a' has count -1"),
    ],
)
def test_priors_that_cannot_be_are_refused(training, message) -> None:
    with pytest.raises(WorkbenchError, match=message):
        read("obs,b,a\na,0,1\nb,1,0\n").prior(training)


def test_programs_are_matched_by_names_or_by_order() -> None:
    one = "id,obs,a,b\n1,a,0.9,0.1\n2,b,0.2,0.8\n3,a,0.5,0.5\n"
    other = "id,obs,b,a\n3,a,0.25,0.75\n1,a,0.5,0.5\n2,b,1,0\n"
    same = on_same_rows({"one": read(one, row="id"), "other": read(other, row="id")})
    assert same.classes == ("a", "b")
    assert same.outcomes.tolist() == [0, 1, 0]
    assert same.by_learner["other"].tolist() == [[0.5, 0.5], [0, 1], [0.75, 0.25]]
    with pytest.raises(
        WorkbenchError, match="line 3 of the first has class 'b', but line 3 of the second has 'a'"
    ):
        on_same_rows({"one": read(one), "other": read(other)})
    weka = read(
        "inst#,actual,predicted,error,distribution,\n1,1:a,1:a,,*1,0\n2,2:b,2:b,,0,*1\n3,1:a,1:a,,*1,0\n"
    )
    assert set(on_same_rows({"weka": weka, "r": read(one)}).by_learner) == {"weka", "r"}


def test_programs_on_other_rows_are_refused() -> None:
    one = "id,obs,a,b\n1,a,0.9,0.1\n2,b,0.2,0.8\n"
    for other, message, classes in (
        ("id,obs,a,b\n1,a,0.9,0.1\n3,b,0.2,0.8\n", "only the first has row '2'", None),
        ("id,obs,a,b\n1,a,0.9,0.1\n2,?,0.2,0.8\n", r"have 2 and 1 rows \(0 and 1 left out\)", ["a", "b"]),
        ("id,obs,a,c\n1,a,0.9,0.1\n2,c,0.2,0.8\n", "have different classes, a, b and a, c", None),
    ):
        with pytest.raises(WorkbenchError, match=message):
            on_same_rows({"one": read(one, row="id"), "other": read(other, row="id", classes=classes)})
    with pytest.raises(WorkbenchError, match="only one of one and other has names"):
        on_same_rows({"one": read(one, row="id"), "other": read(one)})
    with pytest.raises(WorkbenchError, match="predictions is empty"):
        on_same_rows({})


def test_no_such_file_is_one_sentence(tmp_path) -> None:
    with pytest.raises(WorkbenchError, match="cannot be opened"):
        read_predictions(tmp_path / "none.csv")


class TestOneColumnOfProbabilities:
    TEXT = "id,y_true,score\na,ill,0.75\nb,well,0.125\nc,?,1e-3\n"

    def read(self, text=TEXT, **options):
        return read_predictions(io.StringIO(text), **options)

    def test_the_positive_class_has_it_and_the_other_the_rest(self):
        found = self.read(positive="ill", row="id")
        assert found.classes == ("well", "ill")
        assert found.y_true.tolist() == ["ill", "well"]
        assert found.y_prob.tolist() == [[0.25, 0.75], [0.875, 0.125]]
        assert found.n_missing == 1

    def test_the_column_can_have_any_name(self):
        text = self.TEXT.replace("score", "risk")
        assert self.read(text, positive="ill", columns={"ill": "risk"}).n_samples == 2
        assert self.read("y_true,risk\nill,0.5\nwell,0.5\n", positive="ill").n_samples == 2
        with pytest.raises(WorkbenchError, match="columns="):
            self.read(text, positive="ill")

    @pytest.mark.parametrize(
        "options, message",
        [
            ({"positive": "sick"}, "and positive is 'sick'"),
            (
                {"positive": "ill", "classes": ["ill", "dead"]},
                "the true class is 'well'",
            ),
            ({"positive": "ill", "classes": ["ill", "well", "dead"]}, "it must be one of two classes"),
            ({}, "class 'ill' has no column .*name that class, positive="),
            ({"columns": {"ill": "score"}}, "only 'ill' is known: if there .*, positive='ill'"),
        ],
    )
    def test_what_cannot_be_is_reported(self, options, message):
        with pytest.raises(WorkbenchError, match=message):
            self.read(**options)

    @pytest.mark.parametrize("wrong", ["1.75", "-0.1"])
    def test_a_probability_that_cannot_be_is_quoted_with_its_class(self, wrong):
        with pytest.raises(WorkbenchError, match=f"line 2: {wrong} stands for class 'ill': expected a prob"):
            self.read(self.TEXT.replace("0.75", wrong), positive="ill")

    @pytest.mark.parametrize("positive", [True, np.int64(1), "1"])
    def test_the_positive_of_zeros_and_ones_may_be_a_bool(self, positive):
        found = self.read("y_true,score\n1,0.75\n0,0.5\n", positive=positive)
        assert (found.classes, found.y_prob[0].tolist()) == (("0", "1"), [0.25, 0.75])
        assert self.read("y_true,score\nTrue,0.75\nFalse,0.5\n", positive=True).classes == ("False", "True")


# ---- predicted classes that contradict the probabilities


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("pred,obs,no,yes\nyes,yes,0.9,0.1\nno,no,0.2,0.8\nyes,yes,0.7,0.3\n", 3),
        ("pred,obs,no,yes\nyes,yes,0.1,0.9\nno,no,0.2,0.8\n", 1),
        ("pred,obs,no,yes\nyes,yes,0.5,0.5\nno,no,0.5,0.5\n", 0),  # a tie contradicts nothing
        (".pred_class,truth,.pred_no,.pred_yes\nno,yes,0.1,0.9\nNA,no,0.2,0.8\n", 1),
        ("pred,obs,no,yes\nperhaps,yes,0.9,0.1\nmaybe,no,0.1,0.9\n", 0),  # no class
        ("inst#,actual,predicted,error,distribution,\n1,1:a,1:a,,*0.1,0.9\n2,2:b,2:b,,0.2,*0.8\n", 1),
    ],
)
def test_rows_whose_predicted_class_is_not_the_most_probable_are_counted(text, n):
    found = read_predictions(StringIO(text))
    assert found.n_contradicted == n
    assert any("predicted class" in note for note in found.notes) == bool(n)


def test_classes_that_pandas_wrote_as_floats_are_those_of_the_columns() -> None:
    found = read("y_true,0,1\n1.0,0.2,0.8\n,0.5,0.5\n0.0,0.9,0.1\n")
    assert found.y_true.tolist() == ["1", "0"]
    assert found.n_missing == 1

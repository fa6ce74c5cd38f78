"""Rows from Parquet, batch by batch: what one fit of all rows would have found, in bounded memory."""

import tracemalloc
import warnings
import weakref

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.naive_bayes import CategoricalNB

from generators import random_aode, random_tan
from learners import (
    AnDEClassifier,
    AODEClassifier,
    KDBClassifier,
    NaiveBayesClassifier,
    PriorClassifier,
    TANClassifier,
)
from learners.tables.columns import IntegerColumnWarning
from workbench import fit_batches, fit_parquet, parquet_batches, sample_parquet
from workbench.base.errors import WorkbenchError
from workbench.datasets.parquet import labels_of

LEARNERS = pytest.mark.parametrize(
    "Learner", [NaiveBayesClassifier, TANClassifier, AODEClassifier, AnDEClassifier, PriorClassifier]
)
N = 3000


def coded_rows(n=N, seed=0):
    """Codes of four attributes, the last of which shows its largest value late, and a class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n).astype(np.uint8)
    X = (rng.integers(0, 3, (n, 4)) + y[:, None] // 2).astype(np.uint8)
    X[n - 10 :, 3] = 5
    return X, y


def written(path, table, **options):
    pq.write_table(pa.table(table), path, **options)
    return path


def coded_file(path, X, y, **options):
    columns = {f"x{j}": X[:, j] for j in range(X.shape[1])}
    return written(path, columns | {"y": y}, row_group_size=700, **options)


def assert_same(learner, once, X):
    np.testing.assert_array_equal(learner.classes_, once.classes_)
    np.testing.assert_array_equal(learner.predict_proba(X), once.predict_proba(X))
    np.testing.assert_array_equal(learner.arities_, once.arities_)


class TestCodes:
    @LEARNERS
    @pytest.mark.parametrize("batch_rows", [699, 10**6])
    def test_in_row_groups_are_one_fit_to_the_bit(self, Learner, batch_rows, tmp_path):
        X, y = coded_rows()
        file = coded_file(tmp_path / "a.parquet", X, y)
        learner = fit_parquet(Learner(), file, "y", codes=True, batch_rows=batch_rows)
        assert_same(learner, Learner().fit(X, y), X)

    def test_are_declared_by_arities(self, tmp_path):
        X, y = coded_rows()
        file = coded_file(tmp_path / "a.parquet", X, y)
        learner = AODEClassifier(arities=[6] * 4)
        assert fit_parquet(learner, file, "y") is learner
        assert_same(learner, AODEClassifier(arities=[6] * 4).fit(X, y), X)

    def test_null_and_minus_one_are_missing(self, tmp_path):
        X, y = coded_rows()
        holed = X.astype(np.int64)
        holed[np.random.default_rng(1).random(X.shape) < 0.1] = -1
        columns = {f"x{j}": pa.array(X[:, j], mask=holed[:, j] < 0) for j in range(3)}
        file = written(tmp_path / "a.parquet", columns | {"x3": holed[:, 3], "y": y}, row_group_size=900)
        learner = fit_parquet(TANClassifier(), file, "y", codes=True, batch_rows=1000)
        assert_same(learner, TANClassifier().fit(holed, y), holed)

    def test_past_the_range_of_signed_integers_are_refused_as_ever(self, tmp_path):
        table = {"x": np.array([1, 2**63 + 1], dtype=np.uint64), "y": [0, 1]}
        file = written(tmp_path / "a.parquet", table)
        with pytest.raises(ValueError, match="Integer codes must lie between 0 and 65,535"):
            fit_parquet(NaiveBayesClassifier(), file, "y", codes=True)

    def test_beyond_their_arity_are_refused_with_the_sentence_of_fit(self, tmp_path):
        X, y = coded_rows()
        file = coded_file(tmp_path / "a.parquet", X, y)
        learner = AODEClassifier(arities=[6, 6, 6, 5]).fit(X[:100], y[:100])
        before = learner.predict_proba(X[:50])
        with pytest.raises(ValueError, match="Column 3 holds the code 5, but arities declares 5 values"):
            fit_parquet(learner, file, "y", batch_rows=700)
        np.testing.assert_array_equal(learner.predict_proba(X[:50]), before)  # as it was


class TestFiles:
    def test_several_and_folders_are_one_table(self, tmp_path):
        X, y = coded_rows()
        (tmp_path / "parts").mkdir()
        for j, rows in enumerate(np.array_split(np.arange(2000), 3)):
            coded_file(tmp_path / "parts" / f"{j}.parquet", X[rows], y[rows])
        (tmp_path / "parts" / "_SUCCESS").touch()
        last = coded_file(tmp_path / "last.parquet", X[2000:], y[2000:])
        paths = [tmp_path / "parts", str(last)]
        learner = fit_parquet(AODEClassifier(), paths, "y", codes=True, batch_rows=500)
        assert_same(learner, AODEClassifier().fit(X, y), X)

    def test_may_have_their_columns_in_another_order_and_no_rows(self, tmp_path):
        X, y = coded_rows()
        coded_file(tmp_path / "a.parquet", X[:1000], y[:1000])
        coded_file(tmp_path / "b.parquet", X[:0], y[:0])
        swapped = {"y": y[1000:], **{f"x{j}": X[1000:, j].astype(np.int64) for j in (2, 0, 3, 1)}}
        written(tmp_path / "c.parquet", swapped)
        learner = fit_parquet(AODEClassifier(), tmp_path, "y", codes=True)
        assert_same(learner, AODEClassifier().fit(X, y), X)

    def test_are_read_in_batches_of_the_rows_asked_for(self, tmp_path):
        X, y = coded_rows()
        file = coded_file(tmp_path / "a.parquet", X, y)  # row groups of 700
        for batch_rows, sizes in [(3000, [3000]), (1500, [1400, 1400, 200]), (500, [500, 200] * 4 + [200])]:
            batches = list(parquet_batches(file, "y", codes=True, batch_rows=batch_rows))
            assert [len(y) for _, y in batches] == sizes
            np.testing.assert_array_equal(np.concatenate([X for X, _ in batches]), X)
            np.testing.assert_array_equal(np.concatenate([y for _, y in batches]), y)
            assert {y.name for _, y in batches} == {"y"}


def labelled_rows(n=N, seed=3):
    rng = np.random.default_rng(seed)
    y = rng.choice(["yes", "no", "maybe"], n)
    X = pd.DataFrame(
        {
            "text": rng.choice(["u", "w", "v"], n).astype(object),
            "late": np.where(np.arange(n) < n // 2, "m", rng.choice(["b", "z"], n)).astype(object),
            "flag": rng.random(n) < 0.3,
            "grade": rng.integers(0, 4, n),
        }
    )
    X.loc[rng.random(n) < 0.1, "text"] = None
    return X, y


class TestLabels:
    def file(self, path, X, y, kind):
        table = pa.Table.from_pandas(X, preserve_index=False).append_column("y", pa.array(y))
        if kind == "dictionary":
            for name in ("text", "late", "y"):
                j = table.column_names.index(name)
                table = table.set_column(j, name, table.column(name).cast(pa.string()).dictionary_encode())
        pq.write_table(table, path, row_group_size=400)
        return path

    @LEARNERS
    @pytest.mark.parametrize("kind", ["text", "dictionary"])
    @pytest.mark.parametrize("batch_rows", [400])
    def test_of_text_and_dictionaries_are_one_fit_to_the_bit(self, Learner, kind, batch_rows, tmp_path):
        X, y = labelled_rows()
        file = self.file(tmp_path / "a.parquet", X, y, kind)
        learner = Learner(categorical_features=["text", "late", "flag", "grade"])
        fit_parquet(learner, file, "y", batch_rows=batch_rows)
        once = Learner(categorical_features=["text", "late", "flag", "grade"]).fit(X, y)
        assert_same(learner, once, X)
        assert [a.states for a in learner._schema.attributes] == [a.states for a in once._schema.attributes]

    @pytest.mark.parametrize("named", [[0, 1, 2, 3], ["grade", "late", "flag", "text"]], ids=str)
    def test_of_numbers_are_named_as_learners_name_them(self, named, tmp_path):
        X, y = labelled_rows()
        file = self.file(tmp_path / "a.parquet", X, y, "text")
        learner = fit_parquet(AODEClassifier(categorical_features=named), file, "y", batch_rows=900)
        assert_same(learner, AODEClassifier(categorical_features=named).fit(X, y), X)

    def test_of_dictionaries_that_differ_between_files(self, tmp_path):
        y = np.array([0, 1] * 3)
        for j, labels in enumerate((["c", "a"], ["b", None], ["a", "d"])):
            written(tmp_path / f"{j}.parquet", {"x": pa.array(labels).dictionary_encode(), "y": y[:2]})
        learner = fit_parquet(NaiveBayesClassifier(), tmp_path, "y")
        X = pd.DataFrame({"x": ["c", "a", "b", None, "a", "d"]})
        assert_same(learner, NaiveBayesClassifier().fit(X, y), X)

    @pytest.mark.parametrize(("third", "code"), [("b", 1), (None, -1)])
    def test_of_dictionaries_with_a_null_or_a_label_twice(self, third, code):
        codes, names = pa.array([0, 1, 2, None], pa.int8()), pa.array(["b", "a", third])
        labels = labels_of(pa.DictionaryArray.from_arrays(codes, names))
        assert labels.codes.tolist() == [1, 0, code, -1]
        assert labels.categories.tolist() == ["a", "b"]

    def test_integers_are_numeric_and_that_is_reported_once(self, tmp_path):
        X, y = labelled_rows()
        file = self.file(tmp_path / "a.parquet", X, y, "text")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            learner = fit_parquet(NaiveBayesClassifier(numeric="gaussian"), file, "y", batch_rows=500)
        assert [each.category for each in caught] == [IntegerColumnWarning]
        with pytest.warns(IntegerColumnWarning):
            once = NaiveBayesClassifier(numeric="gaussian").fit(X, y)
        np.testing.assert_allclose(learner.predict_proba(X), once.predict_proba(X), atol=1e-12)


class TestNumbers:
    def test_are_cut_by_the_first_batch(self, tmp_path):
        rng = np.random.default_rng(2)
        y = rng.integers(0, 2, N)
        x = rng.normal(size=N) + 3 * y
        mask = rng.random(N) < 0.1
        whole = rng.integers(0, 50, N)
        table = {"x": pa.array(x, mask=mask), "whole": pa.array(whole, mask=mask), "y": y}
        file = written(tmp_path / "a.parquet", table, row_group_size=1000)
        learner = fit_parquet(AODEClassifier(), file, "y", batch_rows=1000)
        X = pd.DataFrame({"x": np.where(mask, np.nan, x), "whole": np.where(mask, np.nan, whole)})
        once = AODEClassifier().fit(X[:1000], y[:1000]).partial_fit(X[1000:], y[1000:])
        assert_same(learner, once, X)


class TestBatches:
    @LEARNERS
    def test_of_any_kind_are_one_fit_to_the_bit(self, Learner):
        truth = random_aode(n_attributes=4, random_state=1)
        learner = fit_batches(Learner(), truth.sample_batches(5000, batch_rows=700, random_state=2))
        X, y = map(pd.concat, zip(*truth.sample_batches(5000, batch_rows=700, random_state=2), strict=True))
        assert_same(learner, Learner().fit(X, y), X)

    def test_may_have_weights(self):
        X, y = coded_rows(90)
        weight = np.random.default_rng(0).random(90)
        batches = ((X[rows], y[rows], weight[rows]) for rows in np.array_split(np.arange(90), 4))
        learner = fit_batches(AODEClassifier(), batches, classes=[0, 1, 2])
        assert_same(learner, AODEClassifier().fit(X, y, sample_weight=weight), X)

    def test_forget_what_was_learned_before_and_keep_the_parameters(self):
        X, y = coded_rows(90)
        structure = [-1, 0, 1, 2]
        learner = TANClassifier(structure=structure).fit(X[:20], y[:20])
        assert fit_batches(learner, [(X, y)], classes=[0, 1, 2]) is learner
        assert learner.structure is structure
        assert_same(learner, TANClassifier(structure=structure).fit(X, y), X)

    def test_one_that_is_refused_leaves_the_learner_as_it_was(self):
        X, y = coded_rows(90)
        learner = AODEClassifier().fit(X, y)
        before = learner.predict_proba(X)
        with pytest.raises(ValueError, match="y holds the class"):
            fit_batches(learner, [(X[:9], y[:9]), (X[9:], y[9:] + 7)], classes=[0, 1, 2])
        np.testing.assert_array_equal(learner.predict_proba(X), before)

    @pytest.mark.parametrize("Learner", [NaiveBayesClassifier, TANClassifier, AODEClassifier])
    def test_at_most_two_are_alive(self, Learner):
        alive, most = weakref.WeakSet(), []

        class Table(pd.DataFrame):
            pass

        def batches():
            for seed in range(12):
                X, y = coded_rows(50, seed)
                table = Table(X.astype(str))
                alive.add(table._mgr)
                most.append(len(alive))
                yield table, y
                del table

        fit_batches(Learner(), batches(), classes=[0, 1, 2])
        assert len(most) == 12
        assert max(most) <= 2

    def test_memory_goes_by_the_batch_and_not_by_the_file(self, tmp_path):
        X, y = coded_rows(200_000)
        file = written(
            tmp_path / "a.parquet", {f"x{j}": X[:, j].astype(np.int64) for j in range(4)} | {"y": y}
        )
        learner = AODEClassifier(arities=[6] * 4)
        fit_parquet(learner, file, "y", batch_rows=10_000)  # compiled, and imported
        tracemalloc.start()
        fit_parquet(learner, file, "y", batch_rows=10_000)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 8 * 10_000 * 5 * 8  # eight batches of int64; the file has twenty
        assert_same(learner, AODEClassifier(arities=[6] * 4).fit(X, y), X)


class TestSamples:
    def test_are_the_codes_of_the_truth(self, tmp_path):
        truth = random_tan(n_attributes=3, arity=4, n_classes=2, random_state=0)
        file = sample_parquet(truth, 2500, tmp_path / "a.parquet", batch_rows=1000, random_state=5)
        drawn = np.concatenate(list(truth.sample_code_batches(2500, batch_rows=1000, random_state=5)))
        table = pq.read_table(file)
        assert table.column_names == list(truth.names)
        assert {str(kind) for kind in table.schema.types} == {"uint8"}
        assert pq.ParquetFile(file).metadata.num_row_groups == 3
        np.testing.assert_array_equal(table.to_pandas().to_numpy(), drawn)


class TestRefusals:
    @pytest.fixture
    def file(self, tmp_path):
        return coded_file(tmp_path / "a.parquet", *coded_rows())

    def refused(self, sentence, *paths, target="y", learner=None, **options):
        with pytest.raises(WorkbenchError, match=sentence):
            fit_parquet(learner or NaiveBayesClassifier(), list(paths), target, **{"codes": True, **options})

    def test_no_such_file(self, tmp_path, file):
        self.refused("there is no file or folder .*nowhere.parquet", file, tmp_path / "nowhere.parquet")
        self.refused("paths is empty: give at least one")

    def test_no_rows(self, tmp_path):
        X, y = coded_rows()
        none = [coded_file(tmp_path / f"{j}.parquet", X[:0], y[:0]) for j in range(2)]
        self.refused(r"0.parquet has no rows", none[0])
        self.refused(r"0.parquet and the others have no rows", *none)

    def test_a_file_that_is_cut_off(self, tmp_path, file):
        cut = tmp_path / "cut.parquet"
        cut.write_bytes(file.read_bytes()[:-100])
        self.refused("cut.parquet is cut off or damaged: write or copy the file again", file, cut)

    def test_a_file_that_is_damaged_inside(self, tmp_path, file):
        broken, whole = tmp_path / "broken.parquet", bytearray(file.read_bytes())
        whole[40:1500] = bytes(1460)
        broken.write_bytes(whole)
        self.refused("broken.parquet is damaged, and cannot be read to its end", broken)

    def test_no_such_column(self, file):
        self.refused("a.parquet has no column 'Y' for the target: expected one of 'x0'", file, target="Y")
        self.refused("a.parquet has no column 'xx0': did you mean 'x0'", file, columns=["xx0"])
        self.refused("the target 'y' is among columns: leave it out", file, columns=["x0", "y"])
        self.refused("no column besides the target", file, columns=[])
        self.refused("columns is 'x0': give a list of names", file, columns="x0")

    def test_a_class_that_is_missing(self, tmp_path):
        y = pa.array([0, 1] * 10, mask=np.arange(20) == 13)
        file = written(tmp_path / "a.parquet", {"x": [0] * 20, "y": y}, row_group_size=6)
        for classes in (None, [0, 1]):
            self.refused(
                r"a.parquet lacks the target 'y' in row 13 \(counted from 0\): leave out rows",
                file,
                classes=classes,
                batch_rows=3,
            )

    @pytest.mark.parametrize(
        ("later", "sentence"),
        [
            ({"x": [0, 1]}, r"b.parquet has no column 'y', which .*a.parquet has"),
            ({"y": [0, 1]}, "b.parquet has no column 'x', which .*a.parquet has"),
            (
                {"x": ["u", "v"], "y": [0, 1]},
                "column 'x' has text in .*b.parquet, but integers in .*a.parquet",
            ),
            (
                {"x": [0, 1], "y": [0.0, 1.0]},
                "column 'y' has floating-point numbers in .*b.parquet, but int",
            ),
            (
                {"x": [0, 1], "y": [0, 1], "z": [0, 1]},
                "has a column 'z', which .*a.parquet does not have: name the",
            ),
        ],
    )
    def test_a_later_file_of_other_columns(self, later, sentence, tmp_path):
        first = written(tmp_path / "a.parquet", {"x": [0, 1], "y": [0, 1]})
        self.refused(sentence, first, written(tmp_path / "b.parquet", later))

    def test_learners_that_need_all_rows(self, file):
        self.refused(
            "KDBClassifier cannot learn batch by batch.* nb, nb_m_estimate, tan, "
            "averaged_tan, aode, ande, prior",
            file,
            learner=KDBClassifier(),
        )
        self.refused(
            r"TANClassifier cannot learn batch by batch: structure=.superparent. scores each training row",
            file,
            learner=TANClassifier(structure="superparent"),
        )
        self.refused(
            r"AODEClassifier is a class: use an instance, AODEClassifier\(\)",
            file,
            learner=AODEClassifier,
        )

    def test_batches_of_no_rows(self, file):
        for batch_rows in (0, -1, 2.5, True):
            self.refused("give the number of rows of a batch, 1 or more", file, batch_rows=batch_rows)
        with pytest.raises(WorkbenchError, match="there is no batch to learn from"):
            fit_batches(NaiveBayesClassifier(), [], classes=[0, 1])

    def test_a_client_for_learners_that_cannot_be_merged(self, file):
        class Client:
            submit = scatter = nthreads = None

        self.refused(
            "CategoricalNB cannot be merged from parts, .* leave out client",
            file,
            learner=CategoricalNB(),
            client=Client(),
        )


@pytest.fixture(scope="module")
def client():
    """Start two worker processes."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.mark.process
class TestDask:
    @pytest.mark.parametrize("Learner", [AODEClassifier, PriorClassifier])
    def test_numbers_are_those_of_one_machine_to_the_bit(self, Learner, tmp_path, client):
        X, y = coded_rows()
        for j, rows in enumerate(np.array_split(np.arange(N), 3)):
            coded_file(tmp_path / f"{j}.parquet", X[rows], y[rows])
        calls = []
        learner = fit_parquet(
            Learner(),
            tmp_path,
            "y",
            codes=True,
            batch_rows=250,
            client=client,
            progress=lambda *of: calls.append(of),
        )
        assert_same(learner, Learner().fit(X, y), X)
        assert calls[-1] == (N, N)

    def test_labels_and_numbers_too(self, tmp_path, client):
        X, y = labelled_rows()
        X["x"] = np.random.default_rng(0).normal(size=N) + (y == "yes")
        table = pa.Table.from_pandas(X, preserve_index=False).append_column("y", pa.array(y))
        pq.write_table(table, tmp_path / "a.parquet", row_group_size=300)
        options = {"categorical_features": ["text", "late", "flag", "grade"]}
        one, many = (
            fit_parquet(AODEClassifier(**options), tmp_path, "y", batch_rows=300, client=who)
            for who in (None, client)
        )
        assert_same(many, one, X)
        np.testing.assert_array_equal(many.cut_points_["x"], one.cut_points_["x"])

    def test_what_is_refused_on_a_worker_is_reported(self, tmp_path, client):
        y = pa.array([0, 1] * 50, mask=np.arange(100) == 83)
        file = written(tmp_path / "a.parquet", {"x": [0, 1] * 50, "y": y}, row_group_size=10)
        with pytest.raises(WorkbenchError, match="the target 'y' in row 83"):
            fit_parquet(AODEClassifier(), file, "y", codes=True, classes=[0, 1], batch_rows=10, client=client)

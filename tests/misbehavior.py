"""Learners that misbehave: one table of deeds, what each cell must say of it, and those refused at once."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import warnings

import numpy as np
import pandas as pd
import scipy.sparse
from sklearn.base import BaseEstimator, ClassifierMixin

from learners import PriorClassifier

#: What the cells of a harmless deed say.
DONE = ""


class Honest(ClassifierMixin, BaseEstimator):
    """Forecast the frequencies of the classes, whose code is not known to the workbench."""

    def fit(self, X, y):
        self.classes_, counts = np.unique(np.asarray(y), return_counts=True)
        self.frequencies_ = counts / counts.sum()
        return self

    def predict_proba(self, X):
        return np.tile(self.frequencies_, (len(X), 1))


class Answers(Honest):
    """Answer something else than the frequencies."""

    def __init__(self, deed=""):
        self.deed = deed

    def predict_proba(self, X):
        return ANSWERS[self.deed][0](super().predict_proba(X))


class Fits(Honest):
    """Do something when it is fitted, and be honest afterwards, if there is an afterwards."""

    def __init__(self, deed=""):
        self.deed = deed

    def fit(self, X, y):
        super().fit(X, y)
        DEEDS[self.deed][0](self, X, y)
        return self


def with_cell(value, kind=float):
    """Return a function that puts a value into the first cell."""

    def answer(good):
        wrong = good.astype(kind)
        wrong[0, 0] = value
        return wrong

    return answer


def masked(good):
    return np.ma.masked_array(good, mask=np.arange(good.size).reshape(good.shape) == 0)


def ragged(good):
    return [row.tolist()[: 1 + i % 2] for i, row in enumerate(good)]


#: The answers of `predict_proba`, and what the message must name.
ANSWERS = {
    "NaN": (with_cell(np.nan), "row 0 of predict_proba holds nan"),
    "negative": (lambda good: good * [[3.0, -1.0]], "predict_proba holds -"),
    "not summing to one": (lambda good: good * 0.9, "row 0 of predict_proba sums to 0.9"),
    "complex": (lambda good: good + 0j, "predict_proba holds complex numbers"),
    "text": (lambda good: good.astype(str), "predict_proba holds text"),
    "text in objects": (lambda good: good.astype(str).astype(object), "which is no real number"),
    "None": (lambda good: None, "predict_proba is None"),
    "None in a cell": (with_cell(None, object), "predict_proba holds None, which is no real number"),
    "huge integers": (with_cell(10**400, object), "int too large to convert to float"),
    "one dimension": (lambda good: good[:, 0], "predict_proba has shape (40,)"),
    "a column too many": (lambda good: np.column_stack([good, 0 * good[:, 0]]), "has shape (40, 3)"),
    "rows too few": (lambda good: good[:-1], "predict_proba returned 39 rows for 40"),
    "ragged": (ragged, "predict_proba is not an array of numbers: give rows of equal length"),
    "sparse": (scipy.sparse.csr_array, "predict_proba is sparse: give"),
    "masked": (masked, "predict_proba has masked cells"),
    "other columns": (lambda good: pd.DataFrame(good, columns=["maybe", 0]), "predict_proba names its"),
    "raising as an array": (lambda good: Thorny(), "(it has thorns)"),
    "shuffled columns": (lambda good: pd.DataFrame(good, columns=[0, 1])[[1, 0]], DONE),
    "lists": (lambda good: good.tolist(), DONE),
}


class Thorny:
    def __array__(self, dtype=None, copy=None):
        raise ValueError("it has thorns")


class Own(BaseException):
    """An exception that is no Exception."""


class Unspeakable(Exception):
    def __str__(self):
        raise ValueError("no words")

    __repr__ = __str__


class Unsendable(Exception):
    def __reduce__(self):
        raise TypeError("it stays")


def raising(error, *words):
    """Return a deed that raises."""

    def deed(learner, X, y):
        raise error(*words)

    return deed


def deep(learner, X, y):
    deep(learner, X, y)


def in_a_circle(learner, X, y):
    one, two = ValueError("the first"), ValueError("the second")
    one.__cause__, two.__cause__ = two, one
    raise one


def kill(number):
    return lambda learner, X, y: os.kill(os.getpid(), number)


def fork_and_return_twice(learner, X, y):
    os.fork()


def never_ending_thread(learner, X, y):
    threading.Thread(target=threading.Event().wait).start()


def rubbish(learner, X, y):
    os.write(1, b"\x00\xff rubbish" * 1000)
    print("rubbish " * 10_000)
    sys.stdout.flush()


def rubbish_everywhere(learner, X, y):
    for number in range(1, 100):
        with contextlib.suppress(OSError):
            os.write(number, (10**9).to_bytes(8, "little") * 3)


def read(learner, X, y):
    assert sys.stdin.read() == ""


def set_all(**values):
    """Return a deed that changes what the process shares with everybody."""

    def deed(learner, X, y):
        for name, value in values.items():
            module, _, attribute = name.rpartition("__")
            setattr(sys.modules[module.replace("__", ".")], attribute, value)

    return deed


def without_attributes(learner, X, y):
    vars(learner).clear()


def turned_around(learner, X, y):
    learner.classes_ = np.array(["1", "nobody"])


#: What is done in `fit`, and what the message must name.
DEEDS = {
    "Exception": (raising(ValueError, "a bad day"), "ValueError: a bad day"),
    "BaseException": (raising(Own, "a bad day"), "Own: a bad day"),
    "KeyboardInterrupt": (raising(KeyboardInterrupt), "KeyboardInterrupt"),
    "SystemExit": (raising(SystemExit, 3), "SystemExit: 3"),
    "GeneratorExit": (raising(GeneratorExit), "GeneratorExit"),
    "RecursionError": (deep, "RecursionError: maximum recursion depth exceeded"),
    "unspeakable": (raising(Unspeakable), "Unspeakable: its message cannot be read (ValueError)"),
    "unsendable": (raising(Unsendable, "a bad day"), "Unsendable: a bad day"),
    "long message": (lambda *a: raising(ValueError, "long " * 2_000_000)(*a), "ValueError: long long"),
    "half characters": (raising(ValueError, "\udcff\x1b[2J\u202e"), r"ValueError: \udcff\x1b[2J\u202e"),
    "several lines": (raising(ValueError, "one\ntwo"), "ValueError: one"),
    "circle of causes": (in_a_circle, "ValueError: the first"),
    "without attributes": (without_attributes, "AttributeError"),
    "wrong classes": (turned_around, "the learner names class '1'"),
    "classes twice": (lambda s, X, y: setattr(s, "classes_", [0, 0]), "names class 0 twice"),
    "classes that are none": (lambda s, X, y: setattr(s, "classes_", None), "classes_"),
    "no classes": (lambda s, X, y: delattr(s, "classes_"), DONE),
    "rubbish everywhere": (rubbish_everywhere, "was stopped as it wrote where its reports go"),
    "SIGINT": (kill(signal.SIGINT), DONE),
    "rubbish": (rubbish, DONE),
    "closes stdout": (lambda *a: os.closerange(1, 2), DONE),
    "reads": (read, DONE),
    "forks": (fork_and_return_twice, DONE),
    "threads": (never_ending_thread, DONE),
    "programs": (lambda *a: subprocess.Popen(["sleep", "1000"]), DONE),
    "np.seterr": (lambda *a: np.seterr(all="raise"), DONE),
    "warnings": (lambda *a: warnings.simplefilter("error"), DONE),
    "folder": (lambda *a: os.chdir("/"), DONE),
    "environment": (lambda *a: os.environ.clear(), DONE),
    "recursion limit": (lambda *a: sys.setrecursionlimit(120), DONE),
    "seeds": (lambda *a: (np.random.seed(1), random.seed(1)), DONE),  # noqa: NPY002
    "np.log": (set_all(numpy__log=np.exp, numpy__log2=np.exp, numpy__exp=np.log), DONE),
    "signals": (lambda *a: signal.signal(signal.SIGTERM, signal.SIG_IGN), DONE),
    "sys.stderr": (set_all(sys__stderr=None, sys__stdout=None), DONE),
}


class Stranger(Honest):
    """Fit another one."""

    def fit(self, X, y):
        super().fit(X, y)
        return Honest()


class Obliging(Honest):
    """Have whatever is asked for."""

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *arguments, **options: 42


class Thorn(ClassifierMixin, BaseEstimator):
    """Have a property that raises."""

    def fit(self, X, y):
        return self

    predict_proba = Honest.predict_proba

    @property
    def classes_(self):
        raise OSError("thorny")


class Untidy(PriorClassifier):
    """Change all rows that it is given, in place."""

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        untidy(X)
        y.iloc[:] = y.iloc[0]
        return self

    def predict_proba(self, X):
        y_prob = super().predict_proba(X)
        untidy(X)
        return y_prob


def untidy(X):
    for name in list(X):
        X[name] = X[name].iloc[0]
        X.loc[:, name] = X[name].iloc[0]
    del X[name]


class Labels(ClassifierMixin, BaseEstimator):
    """Predict what no row had."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.full(len(X), "nobody")


#: Learners of other kinds, and what the message must name.
KINDS = {
    "fits another": (Stranger, DONE),
    "has everything": (Obliging, "predict_set"),
    "property": (Thorn, "OSError: thorny"),
    "labels": (Labels, "predict returned 'nobody', which is none of the classes [0, 1]"),
}


#: Methods that nobody needs.
HARMLESS = ("set_params", "__repr__", "__eq__", "__bool__", "__deepcopy__")
#: Methods that are asked before a run.
ASKED = ("get_params", "__sklearn_tags__", "__sklearn_clone__", "__getattribute__")


def with_method(name, error=RuntimeError):
    """Return a classifier one of whose methods raises."""

    def method(self, *arguments, **options):
        raise error("no way")

    return object.__new__(type("Awkward", (Honest,), {name: method, "__module__": __name__}))


class Refusing(Honest):
    """Can be made once."""

    made = 0

    def __init__(self):
        type(self).made += 1
        if self.made > 1:
            raise RuntimeError("no way")

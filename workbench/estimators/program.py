"""Any program as a learner: it reads files of rows and writes its forecasts."""

import functools
import os
import re
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from numbers import Real
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted

from generators.base.draw import as_generator
from generators.tables.columns import Column
from learners.facts import LearnerFacts
from learners.tables.class_labels import code_classes
from workbench.base.checks import as_integer
from workbench.base.errors import WorkbenchError, nearest
from workbench.base.text import sentence
from workbench.datasets.arff import save_arff
from workbench.estimators.foreign import Wrapping, as_frame
from workbench.forecasts.files.reading import read_forecasts

__all__ = ["ProgramClassifier"]

TABLES, PREDICTIONS = ("arff", "csv"), ("weka", "csv")
PLACES = ("train", "test", "predictions", "seed", "folder")
PLACEHOLDER = re.compile(r"\{([A-Za-z_]+)\}")
#: Names of what is read, in the folder of a call.
FORECASTS, PRINTED = "predictions.csv", "standard output"
#: Seeds are below this: Java's and R's integers have 32 bits, one for the sign.
SEEDS = 2**31
#: Bytes kept of what a program prints: all that may be forecasts, else the end.
MOST_PRINTED, END = 2**27, 2**14
#: Lines of stderr in an error, and characters of a line.
LINES, WIDTH = 3, 200
#: Seconds for a version; for the pipe of a process that has left its group.
VERSION_SECONDS, GRACE = 60.0, 1.0
#: What removes a folder, and the group of processes whose number it was told, when its input ends: also where
#: this process is killed, as a worker is at its time limit.
WATCH = 'read -r group; read -r end; [ -n "$group" ] && kill -s KILL -- "-$group"; rm -rf -- "$0"'


class ProgramClassifier(Wrapping):
    """Classifier that runs an external program: Weka, R, C or any program that reads and writes tables.

    `fit` only stores the training rows. Every prediction writes the training rows and the rows to predict
    into an empty folder, runs the command there, reads the predictions and removes the folder. The program
    therefore trains during prediction, and its training counts as prediction time.

    Parameters
    ----------
    command : list of str
        The program and its arguments, run without a shell. ``{train}``, ``{test}`` and ``{predictions}`` are
        replaced by names of files in the folder in which the program runs, ``{folder}`` by the path of this
        folder, and ``{seed}`` by a number from 0 to 2**31 - 1. Arguments that are paths of existing files,
        such as "programs/classify.R", are made absolute.
    train : {"arff", "csv"}, default="arff"
        The format of ``{train}`` and ``{test}``. The class is the last column. In the rows to predict it is
        missing ("?" in ARFF, empty in CSV). ARFF declares all values and classes, including those that do not
        occur. Missing values are empty in CSV.
    predictions : {"weka", "csv"}, default="weka"
        The format of the file ``{predictions}``, or of the program's output if the command does not contain
        ``{predictions}``. It must have a row for each row to predict, in the same order. "weka" is Weka's
        output of predictions with the distribution, "csv" has a column of probabilities for each class, named
        as the class. A class without training rows needs no column and has probability 0.
    timeout : float or None, default=600
        Seconds for a prediction, without limit if None. After this time the program is killed with all
        processes that it started.
    version : list of str, optional
        A command whose first line of output is the program's version. A store keeps the version with the
        learner. After a change of version the store treats the program as another learner.
    random_state : int, Generator or None, default=None
        Source of ``{seed}``. An integer of fewer than 32 bits is the seed itself.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Declared classes, sorted.

    Raises
    ------
    WorkbenchError
        If the command has an unknown word in braces. When predicting, if the program cannot be started,
        fails, exceeds the time limit, or does not predict each row. The message contains the last lines that
        the program wrote to stderr.

    Notes
    -----
    Values that do not occur in the training rows count as missing. The time limit does not stop a
    process that the program moves to its own session, as services do.

    Examples
    --------
    >>> from generators import random_naive_bayes
    >>> X, y = random_naive_bayes(n_attributes=3, n_classes=2, random_state=1).sample(5, random_state=1)
    >>> guess = 'NR == 1 {print "0,1"} NR > 1 {print "0.25,0.75"}'  # in awk's language
    >>> program = ProgramClassifier(["awk", guess, "{test}"], train="csv", predictions="csv")
    >>> program.fit(X, y).predict_proba(X[:2])
    array([[0.25, 0.75],
           [0.25, 0.75]])
    """

    workbench_identity = "workbench.program:ProgramClassifier"
    #: Parameters that do not change what is forecast; the version itself is identified.
    not_identifying = ("timeout", "version")
    facts = LearnerFacts(
        key="program",
        authors="Hall, Frank, Holmes, Pfahringer, Reutemann, Witten",
        title="The WEKA data mining software: an update",
        year=2009,
        numbers="as inside",
        missing="as inside",
        weights="no",
    )

    def __init__(
        self,
        command: Any = None,
        train: str = "arff",
        predictions: str = "weka",
        timeout: float | None = 600.0,
        version: Any = None,
        random_state: Any = None,
    ) -> None:
        self.command = command
        self.train = train
        self.predictions = predictions
        self.timeout = timeout
        self.version = version
        self.random_state = random_state
        self._check()  # a study file with a mistake is refused when it is read

    def fit(self, X: Any, y: Any, **options: Any) -> "ProgramClassifier":
        """Keep the training rows, which the program gets with the rows to predict.

        Parameters
        ----------
        X : DataFrame or array of shape (n_samples, n_attributes)
            Attributes.
        y : Series or array of shape (n_samples,)
            Classes.

        Returns
        -------
        ProgramClassifier
            Itself.
        """
        self._check()
        if self.command is None:
            raise WorkbenchError(
                'a program is needed: command = ["java", "weka.classifiers.trees.J48", "-t", "{train}", ...]'
            )
        for name in (name for name, given in options.items() if given is not None):
            raise WorkbenchError(f"fit of a program takes only rows and classes: leave out {name}")
        if self.version is not None:
            _version_of(tuple(self.version))
        table = as_frame(X)
        check_consistent_length(table, y)
        self.classes_, codes, _ = code_classes(y)
        names = pd.Series([str(name) for name in table])
        if names.duplicated().any():
            raise WorkbenchError(
                f"X has two columns {names[names.duplicated()].iloc[0]!r}: give each its own name"
            )
        self.columns_ = tuple(Column.of(name, table[name]) for name in table)
        self.rows_ = self._rows(table), self._labels(codes)
        seed = as_integer(self.random_state)
        self.seed_ = int(as_generator(self.random_state).random() * SEEDS) if seed is None else seed % SEEDS
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Run the program, and return probabilities of shape (n_samples, n_classes).

        Parameters
        ----------
        X : DataFrame or array of shape (n_samples, n_attributes)
            Attributes.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        check_is_fitted(self)
        table = as_frame(X)
        if not len(table):
            return np.empty((0, len(self.classes_)))
        with _watched_folder() as (folder, watch):
            places = self._write(folder, table)
            command = _filled(self.command, places)
            most = END if self._writes_file else MOST_PRINTED
            done = _run(command, folder, self.timeout, watch, most)
            if done.fault:
                raise self._error(done.fault, done)
            return self._read(folder, done, len(table))

    @property
    def program_version(self) -> str | None:
        """The first line that the command `version` prints, "unknown" if it fails. None without a command."""
        if self.version is None:
            return None
        try:
            return _version_of(tuple(self.version))
        except WorkbenchError:  # which fails the fit; a study can be read where the program is not installed
            return "unknown"

    def _check(self) -> None:
        _check_command(self.command, "command", PLACES)
        _check_command(self.version, "version", ())
        for name, known in {"train": TABLES, "predictions": PREDICTIONS}.items():
            if (word := getattr(self, name)) not in known:
                raise WorkbenchError(f"{name} of a program is {word!r}; {nearest(word, known)}")
        limit = self.timeout
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, Real) or not limit > 0):
            raise WorkbenchError(f"timeout is {limit!r}: expected a number of seconds above 0, or None")

    @property
    def _writes_file(self) -> bool:
        return any("{predictions}" in part for part in self.command)

    def _rows(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return a table of the declared values and of numbers, its columns named by text."""
        if lost := [column.name for column in self.columns_ if column.name not in table]:
            raise WorkbenchError(f"X has no column {lost[0]!r}: give the same columns as to fit")
        cells = [
            column.read(table[column.name])
            if column.arity
            else table[column.name].to_numpy(np.float64, na_value=np.nan)
            for column in self.columns_
        ]
        named = pd.DataFrame(dict(enumerate(cells)), index=range(len(table)))
        return named.set_axis([str(column.name) for column in self.columns_], axis=1)

    def _labels(self, codes: Any) -> pd.Series:
        name = "class"
        while name in {str(column.name) for column in self.columns_}:
            name += "_"
        return pd.Series(Column.of_states(name, self.classes_.tolist()).labels(codes), name=name)

    def _write(self, folder: Path, table: pd.DataFrame) -> dict[str, str]:
        """Write both tables, and return what the words in braces stand for."""
        # Names without a folder are the same wherever it is, and have no blank over which programs stumble.
        tables = {"train": self.rows_, "test": (self._rows(table), self._labels(np.full(len(table), -1)))}
        places = {name: f"{name}.{self.train}" for name in tables}
        for name, (X, y) in tables.items():
            if self.train == "arff":
                save_arff(X, y, folder / places[name], relation=name)
            else:
                X.assign(**{str(y.name): y}).to_csv(folder / places[name], index=False, lineterminator="\n")
        return {**places, "predictions": FORECASTS, "seed": str(self.seed_), "folder": str(folder)}

    def _read(self, folder: Path, done: "_Done", n_rows: int) -> NDArray[np.float64]:
        """Read the predictions from the file that the command names, otherwise from the output."""
        name = FORECASTS if self._writes_file else PRINTED
        place = folder / name
        if not folder.is_dir():
            raise self._error("removed the folder in which it ran: let it leave {folder} as it is", done)
        if name == PRINTED:
            place.write_bytes(done.printed)
        if not place.is_file() or not place.stat().st_size:
            where = "printed nothing" if name == PRINTED else "wrote nothing to {predictions}"
            raise self._error(f"ended without an error, but {where}: expected its forecasts there", done)
        classes = [str(label) for label in self.classes_.tolist()]
        unseen = set(classes) - {str(label) for label in self.rows_[1].unique()}
        try:
            return read_forecasts(
                place,
                self.predictions,  # type: ignore[arg-type]
                classes=classes,
                unseen=unseen,
                n_rows=n_rows,
            )
        except WorkbenchError as error:
            said = str(error).replace(f"{folder}{os.sep}", "")
            raise self._error(f"returned no forecasts that can be used: {said}", done) from error

    def _error(self, fault: str, done: "_Done") -> WorkbenchError:
        return WorkbenchError(f"the program {self.command[0]!r} {fault}{_last_lines(done)}")


class _Done(NamedTuple):
    """The output of a program, and its error, empty if it succeeded."""

    fault: str
    printed: bytes
    complaints: bytes  # the end of stderr


def _check_command(command: Any, what: str, places: Sequence[str]) -> None:
    """Raise unless a command is None or a list of text with known words in braces."""
    if command is None:
        return
    is_list = isinstance(command, list | tuple) and len(command) > 0 and command[0]
    if not is_list or not all(isinstance(part, str) and "\0" not in part for part in command):
        raise WorkbenchError(
            f"{what} is {command!r:.200}: expected a list of text, the program and its arguments, such as "
            '["Rscript", "classify.R", "{train}", "{test}"], as it is run without a shell'
        )
    for word in (word for part in command for word in PLACEHOLDER.findall(part)):
        if word not in places:
            raise WorkbenchError(f"{what} has {{{word}}}, which is unknown; {nearest(word, places)}")


def _filled(command: Sequence[str], places: Mapping[str, str]) -> list[str]:
    """Fill places into a command. Paths of existing files become absolute, as it runs elsewhere."""
    paths = [i for i, part in enumerate(command) if os.sep in part or (i and os.path.splitext(part)[1])]
    return [
        os.path.abspath(part)
        if i in paths and os.path.isfile(part)
        else PLACEHOLDER.sub(lambda found: places[found[1]], part)
        for i, part in enumerate(command)
    ]


@contextmanager
def _watched_folder() -> Iterator[tuple[Path, IO[bytes]]]:
    """Make an empty folder, which is always removed, and yield it with the list of its processes."""
    folder = Path(tempfile.mkdtemp(prefix="program-"))
    watcher = subprocess.Popen(
        ["sh", "-c", WATCH, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        start_new_session=True,
    )
    assert watcher.stdin is not None
    try:
        yield folder, watcher.stdin
    finally:
        watcher.stdin.close()
        watcher.wait()


def _run(
    command: Sequence[str], folder: Path, limit: float | None, watch: IO[bytes], most: int = END
) -> _Done:
    """Run a command in a folder, in a process group that ends with the call."""
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    except OSError as error:
        hint = "install it, or give its path" if isinstance(error, FileNotFoundError) else "is it a program?"
        return _Done(f"cannot be started ({error.strerror}): {hint}", b"", b"")
    printed, complaints = bytearray(), bytearray()
    readers = [
        threading.Thread(target=_keep_end, args=given, daemon=True)
        for given in ((process.stdout, printed, most), (process.stderr, complaints, END))
    ]
    for reader in readers:
        reader.start()
    fault = ""
    try:
        watch.write(b"%d\n" % process.pid)
        fault = _ending(process.wait(limit))
    except subprocess.TimeoutExpired:
        fault = f"took longer than {limit:g} s and was killed: give it fewer rows, or a longer timeout"
    finally:
        with suppress(OSError):  # all have ended
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for reader in readers:
            reader.join(GRACE)
    return _Done(fault, bytes(printed), bytes(complaints))


def _keep_end(stream: IO[bytes], kept: bytearray, most: int) -> None:
    """Read a pipe to its end, and keep the last bytes."""
    with stream:
        while block := stream.read(2**16):
            kept += block
            if len(kept) > 2 * most:
                del kept[:-most]


def _ending(code: int) -> str:
    """Describe how a program failed. Empty if it succeeded."""
    if code < 0:
        return f"was killed by {signal.Signals(-code).name}: run it by hand, perhaps it lacks memory"
    return f"ended with exit code {code}: run it by hand on a small table" if code else ""


def _last_lines(done: _Done) -> str:
    """Return the last lines of stderr, or of the output if a program failed without any."""
    text = done.complaints.strip() or (done.printed[-END:].strip() if done.fault else b"")
    lines = [line.strip() for line in text.decode("utf-8", errors="replace").splitlines() if line.strip()]
    last = " | ".join(sentence(line, WIDTH) for line in lines[-LINES:])
    return f"; its last lines: {last}" if last else ""


@functools.lru_cache(maxsize=64)
def _version_of(command: tuple[str, ...]) -> str:
    """Return the first line that a command prints, once per process, as a study asks for each cell."""
    with _watched_folder() as (folder, watch):
        done = _run(_filled(command, {}), folder, VERSION_SECONDS, watch)
    said = (done.printed.strip() or done.complaints.strip()).decode("utf-8", errors="replace")
    if done.fault or not said:
        raise WorkbenchError(
            f"the version of the program is unknown, as {command[0]!r} "
            f"{done.fault or 'printed nothing: expected a line'}{_last_lines(done)}"
        )
    return sentence(said.splitlines()[0].strip(), WIDTH)

"""What is said while one waits: where somebody watches, and nothing elsewhere."""

import importlib.util
import io
import math
import pickle
import re
import threading
from contextlib import nullcontext
from types import SimpleNamespace

import numba
import numpy as np
import pytest

from generators import random_dag
from generators.base.compiled import when_compiling
from learners import CaMMLClassifier, learn_network
from learners.networks import progress as progress_module
from learners.networks.progress import COMPILING, advance, phase, reporting
from learners.networks.search import search_choice
from learners.networks.search.chain_clock import ChainClock


class Terminal(io.StringIO):
    """A terminal that tells who waits whenever something was written."""

    def __init__(self):
        super().__init__()
        self.written = threading.Condition()

    def isatty(self):
        return True

    def write(self, text):
        with self.written:
            n = super().write(text)
            self.written.notify_all()
        return n


@pytest.fixture
def terminal(monkeypatch):
    """Return what a terminal gets, at once."""
    stream = Terminal()
    # of this module alone, since pytest replaces that of sys
    monkeypatch.setattr(progress_module, "sys", SimpleNamespace(stderr=stream, modules={}))
    monkeypatch.setattr(progress_module, "SECONDS_SILENT", 0.0)
    monkeypatch.setattr(progress_module, "SECONDS_BETWEEN", 0.001)
    return stream


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, 300)
    return np.column_stack([x, x ^ (rng.random(300) < 0.1), rng.integers(0, 3, 300)])


@pytest.fixture
def now(monkeypatch):
    """Return a clock whose seconds are set by hand."""
    clock = SimpleNamespace(seconds=0.0)
    monkeypatch.setattr(progress_module, "time", SimpleNamespace(monotonic=lambda: clock.seconds))
    return clock


@pytest.fixture
def compiled(monkeypatch):
    """Leave out what depends on the cache of compiled code."""
    monkeypatch.setattr(progress_module, "when_compiling", lambda tell: nullcontext())


@pytest.mark.usefixtures("compiled")
def test_a_function_hears_of_each_phase(rows, monkeypatch):
    monkeypatch.setattr(progress_module, "SECONDS_BETWEEN_CALLS", math.inf)
    lines = []
    learned = learn_network(rows, progress=lines.append)
    searching = "searching all networks of 3 variables"
    assert lines == ["reading the rows", searching]
    lines.clear()
    _ = learned.arc_posteriors
    assert lines == ["summing over all networks of 3 variables"]


@pytest.mark.usefixtures("compiled")
def test_sampling_says_its_share(rows, monkeypatch):
    monkeypatch.setattr(progress_module, "SECONDS_BETWEEN_CALLS", 0.0)
    monkeypatch.setattr(progress_module, "SECONDS_SILENT", 0.0)
    monkeypatch.setattr("learners.networks.search.order_posterior.BLOCK", 1 << 13)
    lines = []
    _ = learn_network(rows, random_state=0, search_factor=0.5, progress=lines.append).sampled
    said = lines[lines.index("drawing networks") + 1 :]
    shares = [int(re.fullmatch(r"drawing networks (\d+)%, about [\d:]+ left", line)[1]) for line in said]
    assert shares == sorted(shares)
    assert shares[0] < 50
    assert shares[-1] == 100


def test_progress_changes_nothing(rows):
    quiet, loud = (
        learn_network(rows, random_state=0, search_factor=0.01, progress=p)
        for p in (False, lambda line: None)
    )
    assert quiet.explain() == loud.explain()
    np.testing.assert_array_equal(quiet.sampled.arc_posteriors, loud.sampled.arc_posteriors)


def test_the_line_has_share_and_time_left(now):
    reporter = progress_module._Reporter()
    reporter.phase("sampling")
    now.seconds = 5.0
    assert reporter.line() == "sampling, 0:05"
    reporter.advance(0.01, "")
    now.seconds = 15.0
    reporter.advance(0.2, "")
    assert reporter.line() == "sampling 20%, about 0:40 left"
    # while compiling nothing is done, so that it does not count
    reporter.compiling(True)
    now.seconds = 75.0
    assert reporter.line() == f"sampling: {COMPILING}, 1:15"
    reporter.compiling(False)
    assert reporter.line() == "sampling 20%, about 0:40 left"
    reporter.phase("searching")
    reporter.advance(0.0, "shortest so far 3.0 bits")
    now.seconds = 3675.0
    assert reporter.line() == "searching, shortest so far 3.0 bits, 1:00:00"


def test_a_clock_says_how_far_the_steps_or_the_seconds_are(monkeypatch):
    said = []
    monkeypatch.setattr("learners.networks.search.chain_clock.advance", lambda *said_: said.append(said_))
    clock = ChainClock("Sampling", None, 200)
    clock.tick(10.0, 50)
    clock.tick(10.0, 150)
    assert said == [(0.25, ""), (1.0, "")]
    ChainClock("Search", None).tick(10 * math.log(2))
    assert said[-1] == (0.0, "shortest so far 10.0 bits")
    clock = ChainClock("Search", 1e-9)
    clock.tick(1.0)
    assert said[-1][0] == 1.0


def test_a_clock_stands_still_while_kernels_compile(monkeypatch):
    now = SimpleNamespace(seconds=0.0)
    watch = SimpleNamespace(perf_counter=lambda: now.seconds)
    monkeypatch.setattr("learners.networks.search.chain_clock.time", watch)
    clock = ChainClock("Search", max_seconds=6.0)
    for later, begins in ((2.0, True), (60.0, None), (62.0, False)):
        now.seconds = later
        if begins is not None:
            clock._stand_still(begins)
        assert clock.seconds == 2.0
    now.seconds = 65.9
    assert not clock.is_up
    now.seconds = 66.0
    assert clock.is_up


def test_a_search_hears_of_compilation(monkeypatch):
    said = []
    monkeypatch.setattr(ChainClock, "_stand_still", lambda self, begins: said.append(begins))
    with ChainClock("Search", max_seconds=6.0).searching():
        numba.njit(lambda x: x + 2)(1)
    numba.njit(lambda x: x + 3)(1)
    assert said == [True, False]


def test_a_terminal_has_one_line_that_is_removed(terminal):
    with reporting(None):
        phase("doing something that has a long name")
        wait_for(terminal, "long name")
        phase("doing more")
        wait_for(terminal, "doing more")
    text = terminal.getvalue()
    assert "\n" not in text
    *_, last, end = text.split("\r")
    assert (last.strip(), end) == ("", "")
    # blanks hide what is left of the longer line
    assert "\rdoing more, 0:00" in text.replace("  ", "")
    assert not any(thread.name == "progress" for thread in threading.enumerate())


def wait_for(stream, text):
    with stream.written:
        stream.written.wait_for(lambda: text in stream.getvalue())


def test_what_is_quick_shows_nothing(terminal, rows, monkeypatch):
    monkeypatch.setattr(progress_module, "SECONDS_SILENT", threading.TIMEOUT_MAX)
    _ = learn_network(rows).arc_posteriors
    assert terminal.getvalue() == ""


def test_nothing_is_shown_on_request_nor_by_a_classifier(terminal, rows):
    learned = learn_network(rows, progress=False)
    _ = learned.arc_posteriors
    CaMMLClassifier(search="metropolis", random_state=0, search_factor=0.01).fit(rows[:, :2], rows[:, 2])
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("where", ["a file", "another process", "another thread"])
def test_where_nobody_watches_nothing_is_shown(where, terminal, rows, monkeypatch):
    run = learn_network
    if where == "a file":
        monkeypatch.setattr(Terminal, "isatty", lambda self: False)
    elif where == "another process":
        process = SimpleNamespace(name="LokyProcess-1")
        monkeypatch.setattr(progress_module.multiprocessing, "current_process", lambda: process)
    else:

        def run(rows):
            thread = threading.Thread(target=learn_network, args=(rows,))
            thread.start()
            thread.join()

    run(rows)
    assert terminal.getvalue() == ""


def test_a_notebook_is_watched_though_it_is_no_terminal(terminal, monkeypatch):
    monkeypatch.setattr(Terminal, "isatty", lambda self: False)
    shell = SimpleNamespace(kernel=object())
    progress_module.sys.modules["IPython"] = SimpleNamespace(get_ipython=lambda: shell)
    with reporting(None):
        phase("searching")
        wait_for(terminal, "searching")


def test_the_console_of_spyder_is_no_notebook(terminal, monkeypatch):
    shell = type("SpyderShell", (), {"__module__": "spyder_kernels.console.shell", "kernel": object()})()
    progress_module.sys.modules["IPython"] = SimpleNamespace(get_ipython=lambda: shell)
    assert not progress_module.is_notebook()
    shell = type("Shell", (), {"__module__": "google.colab._shell", "kernel": object()})()
    assert progress_module.is_notebook()


def test_true_shows_it_where_nobody_seems_to_watch(terminal, monkeypatch):
    monkeypatch.setattr(Terminal, "isatty", lambda self: False)
    with reporting(True):
        phase("searching")
        wait_for(terminal, "searching")
    monkeypatch.setattr(progress_module.sys, "stderr", None)
    with reporting(True):
        phase("searching")


def test_a_closed_terminal_stops_nothing(terminal, rows):
    with reporting(None):
        phase("searching")
        wait_for(terminal, "searching")
        terminal.close()
        learn_network(rows)


def test_an_inner_block_reports_to_the_outer_one():
    lines = []
    with reporting(lines.append):
        phase("outer")
        with reporting(False):
            phase("inner")
    phase("nobody hears this")
    advance(0.5)
    assert lines == ["outer", "inner"]


def test_ctrl_c_in_a_search_returns_the_best_network(rows, monkeypatch):
    monkeypatch.setattr(progress_module, "SECONDS_BETWEEN_CALLS", 0.0)
    phases = ["reading the rows", "searching networks of 3 variables"]
    pressed = set()

    for search in ("fast", "metropolis"):

        def stop(line, search=search):
            if line not in phases and COMPILING not in line and search not in pressed:
                pressed.add(search)
                raise KeyboardInterrupt

        with pytest.warns(UserWarning, match="search was stopped early"):
            learned = learn_network(rows, search=search, random_state=0, progress=stop)
        assert learned.interrupted
    assert progress_module._current.get() is None


def test_a_stopped_search_returns_what_was_shown(monkeypatch):
    monkeypatch.setattr(progress_module, "SECONDS_BETWEEN_CALLS", 0.0)
    X = random_dag(n_nodes=18, arity=3, max_parents=2, random_state=1).sample_codes(400, random_state=1)
    shown = []

    def stop(line):
        found = re.search(r"shortest so far (\S+) bits", line)
        shown.extend(map(float, found.groups() if found else ()))
        if len(shown) == 4:
            raise KeyboardInterrupt

    with pytest.warns(UserWarning, match="search was stopped early"):
        learned = learn_network(X.astype(int), search="fast", random_state=0, progress=stop)
    assert learned.interrupted
    assert shown[-1] == round(learned.message_length, 1)


@pytest.mark.parametrize("seconds", [0.0, math.inf])
def test_ctrl_c_in_the_exact_search_ends_in_a_quick_one_unless_nothing_is_lost(rows, monkeypatch, seconds):
    def pressed(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(search_choice, "shortest_network", pressed)
    monkeypatch.setattr(search_choice, "SECONDS_WORTH_KEEPING", seconds)
    lines = []
    if seconds:
        with pytest.raises(KeyboardInterrupt):
            learn_network(rows)
        return
    with pytest.warns(UserWarning, match="search was stopped early"):
        learned = learn_network(rows, random_state=0, progress=lines.append)
    assert learned.interrupted
    assert "stopped: a quick search of networks of 3 variables" in lines


def test_the_memory_of_a_large_exact_search_is_said_before(monkeypatch):
    lines = []

    def pressed(*args, **options):
        assert lines[-1] == "searching all networks of 22 variables in 0.8 GB"
        raise KeyboardInterrupt

    monkeypatch.setattr(search_choice, "shortest_network", pressed)
    X = np.random.default_rng(0).integers(0, 2, (20, 22))
    with pytest.raises(KeyboardInterrupt):
        learn_network(X, search="exact", progress=lines.append)


def test_a_result_pickles_without_the_function(rows):
    learned = learn_network(rows, progress=lambda line: None)
    assert pickle.loads(pickle.dumps(learned)).progress is None
    assert pickle.loads(pickle.dumps(learn_network(rows, progress=False))).progress is False


def test_other_wishes_are_refused(rows):
    for progress in [1, "yes"]:
        with pytest.raises(ValueError, match=r"progress.*None"):
            learn_network(rows, progress=progress)


@pytest.mark.slow
def test_compiling_is_noticed_once_however_many_kernels_call_each_other():
    told = []

    @numba.njit
    def inner(x):
        return x + 1

    @numba.njit
    def outer(x):
        return inner(x) * 2

    with when_compiling(told.append):
        assert outer(1) == 4
        assert told == [True, False]
        outer(2)
    inner(1.5)  # compiled for another type, but after the block
    assert told == [True, False]


@pytest.mark.slow
def test_code_that_is_found_in_the_cache_is_not_compiling(tmp_path):
    path = tmp_path / "kernels.py"
    path.write_text("import numba\n\n@numba.njit(cache=True)\ndef twice(x):\n    return 2 * x\n")
    told = []
    for times in (1, 2):
        spec = importlib.util.spec_from_file_location("kernels", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        with when_compiling(told.append):
            assert module.twice(times) == 2 * times
        assert told == [True, False]


def test_compiling_that_fails_ends_too():
    told = []
    with when_compiling(told.append), pytest.raises(numba.core.errors.TypingError):
        numba.njit(lambda x: x + "a")(1)
    assert told == [True, False]

"""Compiled code is never older than its source, and is kept outside the source tree."""

import ast
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import generators
from generators.base import compiled

HERE = Path(generators.__file__).resolve().parents[1]
PACKAGES = ("generators", "learners", "workbench")
#: A package that is soon imported and compiled: `outer` calls `inner`, of another file.
SOURCES = {
    "generators/__init__.py": "",
    "learners/__init__.py": "",
    "learners/bayes/tan.py": "",
    "learners/room/_kernels/inner.py": """
from generators.base.compiled import kernel

@kernel
def inner(x):
    return 2.0 * x
""",
    "learners/room/_kernels/outer.py": """
from generators.base.compiled import kernel
from learners.room._kernels.inner import inner

@kernel
def outer(x):
    return inner(x) + 1.0
""",
}
OWN = ("generators/base/compiled.py", "generators/base/numba_part.py")
DECORATORS = {"generators.base.compiled.kernel", "generators.base.compiled.intrinsic"}
#: Says what it waits for and compiles; a second argument is a kernel inside whose compilation it stays.
REPORT = """
import sys
from numba.core import event
from generators.base.compiled import when_compiling
from learners.room._kernels.inner import inner
from learners.room._kernels.outer import outer

class Told(event.Listener):
    def on_start(self, event):
        name = event.data["dispatcher"].py_func.__name__
        print("compiles", name, flush=True)
        if name in sys.argv[2:]:
            sys.stdin.readline()

    def on_end(self, event):
        pass

with when_compiling(lambda begins: print("begins" if begins else "ends", flush=True)):
    event.register("numba:compile", Told())
    print(vars()[sys.argv[1]](3.0), flush=True)
"""
#: A disk without room: no file may grow.
FULL = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); "
#: A file system without permission to write, for whoever asks: root may write anywhere else.
READ_ONLY = """
import os, pathlib, tempfile

def refuse(*args, **more):
    raise OSError(30, "Read-only file system")

pathlib.Path.touch = os.makedirs = tempfile.TemporaryFile = refuse
"""
ASK = "from learners.room._kernels.outer import outer; print(outer(3.0))"


@pytest.fixture
def copy(tmp_path) -> Path:
    """Write the package, with the way of compiling that is tested, so that its source can be changed."""
    return written_to(tmp_path)


@pytest.fixture(scope="module")
def cache(tmp_path_factory) -> Path:
    """Compile the kernels of one copy, and give the folder in which they are kept, which stands beside it."""
    folder = written_to(tmp_path_factory.mktemp("first"))
    assert ask(folder, folder / "cache") == "7.0\n"
    return folder / "cache"


def written_to(folder: Path) -> Path:
    own = {name: (HERE / name).read_text(encoding="utf-8") for name in OWN}
    for name, text in (SOURCES | own).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def ask(folder: Path, cache: Path, **more: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(folder), compiled.VARIABLE: str(cache), **more}
    done = subprocess.run(
        [sys.executable, "-c", ASK], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.fixture
def begun(copy) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Return a function that begins to use a kernel in a process, on a cache that is empty at first."""
    environment = {**os.environ, "PYTHONPATH": str(copy), compiled.VARIABLE: str(copy / "cache")}
    with ExitStack() as opened:

        def begin(*asked: str) -> subprocess.Popen[str]:
            run = [sys.executable, "-c", REPORT, *asked]
            pipe = subprocess.PIPE
            process = subprocess.Popen(run, cwd=copy, env=environment, stdin=pipe, stdout=pipe, text=True)
            opened.enter_context(process)
            opened.callback(process.kill)
            return process

        yield begin


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="there a kernel may be compiled twice")
def test_a_process_waits_for_a_kernel_that_another_one_compiles(begun):
    first = begun("outer", "inner")
    assert [first.stdout.readline() for _ in range(3)] == ["begins\n", "compiles outer\n", "compiles inner\n"]
    second = begun("inner")
    assert second.stdout.readline() == "begins\n"
    assert first.communicate("go on\n")[0] == "ends\n7.0\n"
    assert second.communicate()[0] == "ends\n6.0\n"  # and has compiled nothing


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="there a kernel may be compiled twice")
def test_a_process_that_is_killed_while_it_compiles_keeps_nobody_waiting(begun):
    first = begun("outer", "inner")
    assert [first.stdout.readline() for _ in range(3)][-1] == "compiles inner\n"
    second = begun("inner")
    assert second.stdout.readline() == "begins\n"
    first.kill()
    assert second.communicate()[0] == "ends\nbegins\ncompiles inner\nends\n6.0\n"


@pytest.mark.process
def test_a_change_in_a_kernel_that_another_file_calls_is_seen(copy, cache):
    callee = copy / "learners" / "room" / "_kernels" / "inner.py"
    callee.write_text(callee.read_text().replace("return 2.0", "return 3.0"))
    assert ask(copy, cache) == "10.0\n"


@pytest.mark.process
def test_nothing_is_written_next_to_the_sources(cache):
    assert not list(cache.parent.glob("learners/**/*.nb?"))
    assert list(cache.rglob("*.nbi"))


@pytest.mark.process
def test_a_cache_that_cannot_be_written_is_done_without(copy):
    (copy / "no_folder").touch()
    assert ask(copy, copy / "no_folder") == "7.0\n"


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="the limit is of POSIX")
def test_a_full_disk_costs_compilation_and_not_the_fit(copy):
    done = subprocess.run(
        [sys.executable, "-c", FULL + ASK], cwd=copy, capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(copy), compiled.VARIABLE: str(copy / "cache")},
    )  # fmt: skip
    assert done.stdout == "7.0\n"
    assert done.stderr.count("cannot be kept in") == 1


@pytest.mark.process
def test_code_of_a_folder_that_cannot_be_written_is_used(copy, cache):
    for stamp in cache.glob("*/used"):
        os.utime(stamp, (time.time() - 2 * 24 * 3600,) * 2)  # so that the day's mark is due
    done = subprocess.run(
        [sys.executable, "-c", READ_ONLY + REPORT, "outer"], cwd=copy, capture_output=True, text=True,
        check=True, env={**os.environ, "PYTHONPATH": str(copy), compiled.VARIABLE: str(cache)},
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("7.0\n", "")


def test_folders_that_nobody_uses_any_more_are_removed(tmp_path, monkeypatch):
    monkeypatch.setenv(compiled.VARIABLE, str(tmp_path))
    for name, days in (("old", 15), ("recent", 1)):
        (tmp_path / name).mkdir()
        (tmp_path / name / compiled.USED).touch()
        os.utime(tmp_path / name / compiled.USED, times=(time.time() - days * 24 * 3600,) * 2)
    (tmp_path / "somebody_elses").mkdir()
    own = Path(compiled.cache_folder.__wrapped__("learners"))
    assert {place.name for place in tmp_path.iterdir()} == {own.name, "recent", "somebody_elses"}


def test_the_folder_goes_by_the_content_of_kernels(copy, monkeypatch):
    monkeypatch.setattr(compiled, "ROOT", copy)
    before = compiled._fingerprint(["learners"])
    (copy / "learners" / "bayes" / "tan.py").write_text("changed = True")
    assert compiled._fingerprint(["learners"]) == before
    (copy / "learners" / "room" / "_kernels" / "inner.py").write_text("")
    assert compiled._fingerprint(["learners"]) != before


def test_the_folder_goes_by_the_options_of_the_compiler(copy, monkeypatch):
    monkeypatch.setattr(compiled, "ROOT", copy)
    before = compiled._fingerprint(["learners"])
    source = copy / "generators" / "base" / "numba_part.py"
    source.write_text(source.read_text().replace("nogil=True", "nogil=True, fastmath=True"))
    assert compiled._fingerprint(["learners"]) != before


def test_a_kernel_outside_the_folders_that_the_hash_covers_is_refused():
    with pytest.raises(ValueError, match=r"test_compiled\.outside.*_kernels"):

        @compiled.kernel
        def outside(x):
            return x


@pytest.mark.process
def test_numba_is_imported_with_the_first_kernel_that_is_called():
    ask = """
import sys, pickle, learners
assert "numba" not in sys.modules
from learners.bayes._kernels.one_dependence import multiply_factors as one
assert pickle.loads(pickle.dumps(one)) is one
assert "numba" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", ask], check=True)


def trespassers(root: Path) -> list[str]:
    """List imports that the hash of sources would miss: numba outside its places, and what kernels import."""
    found = []
    for source in sorted(file for package in PACKAGES for file in (root / package).rglob("*.py")):
        place = source.relative_to(root)
        kernels = "_kernels" in place.parts
        for name in imported(source):
            top, *parts = name.split(".")
            if {"numba", "llvmlite"} & {top, *parts}:
                allowed = kernels or place in map(Path, OWN)
            else:
                ours = top in PACKAGES or top == ""  # a relative import begins with a dot
                allowed = not (kernels and ours) or "_kernels" in parts or name in DECORATORS
            if not allowed:
                found.append(f"{place} imports {name}")
    return found


def imported(source: Path) -> Iterator[str]:
    """Yield what a file imports, names of objects included."""
    text = source.read_bytes()
    if b"numba" not in text and b"llvmlite" not in text and "_kernels" not in source.parts:
        return  # most files, which need no parsing
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{name.name}" for name in node.names)


def test_whatever_is_compiled_is_covered_by_the_hash():
    assert trespassers(HERE) == []


@pytest.mark.parametrize(
    ("file", "line", "name"),
    [
        ("learners/bayes/tan.py", "import numba", "numba"),
        ("learners/bayes/tan.py", "from numba import njit", "numba.njit"),
        ("learners/room/_kernels/inner.py", "from learners.limits import LOW", "learners.limits.LOW"),
        ("learners/room/_kernels/inner.py", "from ..limits import LOW", "..limits.LOW"),
        (
            "learners/room/_kernels/inner.py",
            "from generators.base.compiled import ROOT",
            "generators.base.compiled.ROOT",
        ),
    ],
)
def test_imports_that_the_hash_would_miss_are_found(copy, file, line, name):
    assert trespassers(copy) == []
    (copy / file).write_text(f"{line}\n")
    assert trespassers(copy) == [f"{file} imports {name}"]


@pytest.mark.process
def test_two_installations_share_what_was_compiled(copy, cache):
    written = {place: place.stat().st_mtime_ns for place in cache.rglob("*.nb?")}
    assert ask(copy, cache) == "7.0\n"
    assert {place: place.stat().st_mtime_ns for place in cache.rglob("*.nb?")} == written

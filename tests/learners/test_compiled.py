"""Compiled code is never older than its source, and is kept outside the source tree."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import learners
from learners import compiled

HERE = Path(learners.__file__).resolve().parents[1]
#: A package that is soon imported and compiled: `outer` calls `inner`, of another file.
SOURCES = {
    "learners/__init__.py": "",
    "learners/bayes/tan.py": "",
    "learners/room/_kernels/inner.py": """
from learners.compiled import kernel

@kernel
def inner(x):
    return 2.0 * x
""",
    "learners/room/_kernels/outer.py": """
from learners.compiled import kernel
from learners.room._kernels.inner import inner

@kernel
def outer(x):
    return inner(x) + 1.0
""",
}
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
    own = {"learners/compiled.py": Path(compiled.__file__).read_text(encoding="utf-8")}
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


def test_a_change_in_a_kernel_that_another_file_calls_is_seen(copy, cache):
    callee = copy / "learners" / "room" / "_kernels" / "inner.py"
    callee.write_text(callee.read_text().replace("return 2.0", "return 3.0"))
    assert ask(copy, cache) == "10.0\n"


def test_nothing_is_written_next_to_the_sources(cache):
    assert not list(cache.parent.glob("learners/**/*.nb?"))
    assert list(cache.rglob("*.nbi"))


def test_a_cache_that_cannot_be_written_is_done_without(copy):
    (copy / "no_folder").touch()
    assert ask(copy, copy / "no_folder") == "7.0\n"


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


@pytest.mark.parametrize("package", ["learners", "workbench"])
def test_kernels_stand_in_folders_that_the_hash_covers(package):
    for source in (HERE / package).rglob("*.py"):
        if "import kernel" in source.read_text():
            assert source.parent.name == "_kernels", f"{source}: move its kernels to a folder _kernels"


def test_two_installations_share_what_was_compiled(copy, cache):
    written = {place: place.stat().st_mtime_ns for place in cache.rglob("*.nb?")}
    assert ask(copy, cache) == "7.0\n"
    assert {place: place.stat().st_mtime_ns for place in cache.rglob("*.nb?")} == written

"""Compiled code is never older than its source, and is kept outside the source tree."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import learners
from learners import compiled

HERE = Path(learners.__file__).resolve().parents[1]
#: `family_cost` calls `adaptive`, which is in another file.
ASK = """
import numpy as np
from learners.networks._kernels.family_cost import family_cost
codes = np.array([[0, 1, 1, 0, 1]], np.uint8)
ln_factorials = np.cumsum(np.log(np.maximum(np.arange(20), 1)))
print(family_cost(codes, np.array([2]), ln_factorials, 0.5, 0, np.empty(0, np.int64)))
"""


@pytest.fixture
def copy(tmp_path) -> Path:
    """Copy the two packages that the kernel needs, so that its source can be changed."""
    for package in ("learners", "generators"):
        shutil.copytree(HERE / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def ask(folder: Path, cache: Path, **more: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(folder), compiled.VARIABLE: str(cache), **more}
    done = subprocess.run(
        [sys.executable, "-c", ASK], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_a_change_in_a_kernel_that_another_file_calls_is_seen(copy):
    cache, callee = copy / "cache", copy / "learners" / "networks" / "_kernels" / "adaptive_code.py"
    before = ask(copy, cache)
    assert ask(copy, cache) == before
    source = callee.read_text()
    changed = source.replace("return ", "return 1.0 + ")
    assert changed != source
    callee.write_text(changed)
    assert ask(copy, cache) != before


def test_nothing_is_written_next_to_the_sources(copy):
    ask(copy, copy / "cache")
    assert not list(copy.glob("learners/**/*.nbi"))
    assert list((copy / "cache").rglob("*.nbi"))


def test_a_cache_that_cannot_be_written_is_done_without(copy):
    (copy / "no_folder").touch()
    assert ask(copy, copy / "no_folder") == ask(copy, copy / "cache")


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
    (copy / "learners" / "bayes" / "tan.py").write_text("")
    assert compiled._fingerprint(["learners"]) == before
    (copy / "learners" / "bayes" / "_kernels" / "factors.py").write_text("")
    assert compiled._fingerprint(["learners"]) != before


@pytest.mark.parametrize("package", ["learners", "workbench"])
def test_kernels_are_in_folders_that_the_hash_covers(package):
    for source in (HERE / package).rglob("*.py"):
        if "import kernel" in source.read_text():
            assert source.parent.name == "_kernels", f"{source}: move its kernels to a folder _kernels"


def test_two_installations_share_what_was_compiled(copy, tmp_path_factory):
    cache, second = copy / "cache", tmp_path_factory.mktemp("second")
    for package in ("learners", "generators"):
        shutil.copytree(copy / package, second / package, ignore=shutil.ignore_patterns("__pycache__"))
    ask(copy, cache)
    written = {place: place.stat().st_mtime_ns for place in cache.rglob("*.nb?")}
    ask(second, cache)
    assert {place: place.stat().st_mtime_ns for place in cache.rglob("*.nb?")} == written

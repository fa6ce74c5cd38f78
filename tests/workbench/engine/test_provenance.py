"""What a run records of the checkout that it ran from."""

import subprocess

import pytest

from workbench.engine import provenance


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """Return a checkout of one commit, in which the module stands."""
    (tmp_path / "workbench" / "engine").mkdir(parents=True)
    (tmp_path / "a.txt").write_text("one", encoding="utf-8")
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    for words in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", "one")):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)
    monkeypatch.setattr(provenance, "__file__", str(tmp_path / "workbench" / "engine" / "provenance.py"))
    return tmp_path


@pytest.mark.process
def test_a_changed_checkout_has_a_plus(checkout):
    (checkout / "a.txt").write_text("two", encoding="utf-8")
    head = subprocess.run(
        ["git", "-C", str(checkout), "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    )
    assert provenance._commit() == head.stdout.strip() + "+"


@pytest.mark.process
def test_the_commit_is_that_of_the_first_run_and_a_failure_is_asked_again(checkout, monkeypatch):
    def late(*arguments, **options):
        raise subprocess.TimeoutExpired("git", 10)

    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "run", late)
        assert provenance._commit() is None
    found = provenance._commit()
    assert found is not None
    assert not found.endswith("+")
    (checkout / "a.txt").write_text("two", encoding="utf-8")
    assert provenance._commit() == found


def test_what_is_no_checkout_has_no_commit(tmp_path, monkeypatch):
    monkeypatch.setattr(provenance, "__file__", str(tmp_path / "workbench" / "engine" / "provenance.py"))
    assert provenance._commit() is None

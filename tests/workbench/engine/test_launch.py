"""Interpreters of workers are started ahead, and taken only where they are as a new one would be."""

import pytest

from workbench.engine.launch import _waiting, launch, launch_ahead


@pytest.fixture
def ended():
    """Give a list of processes that are killed in the end."""
    processes = []
    yield processes
    processes += [waiting.process for waiting in _waiting]
    _waiting.clear()
    for process in processes:
        with process:
            process.kill()


@pytest.mark.process
def test_one_that_waits_is_taken(ended):
    launch_ahead(1)
    waiting = _waiting[0].process
    ended.append(launch())
    assert ended == [waiting]
    assert not _waiting


@pytest.mark.process
def test_one_that_ended_with_something_unread_is_closed(ended):
    launch_ahead(1)
    dead = _waiting[0].process
    dead.kill()
    dead.wait()
    dead.stdin.write(b"unread")  # stays in the buffer
    ended.append(launch())
    assert ended[0] is not dead


@pytest.mark.process
def test_one_that_ended_or_has_another_environment_is_not_taken(ended, monkeypatch):
    launch_ahead(2)
    stale, dead = (waiting.process for waiting in _waiting)
    dead.kill()
    dead.wait()
    monkeypatch.setenv("SOMETHING_NEW", "1")
    ended.append(launch())
    assert ended[0] not in (stale, dead)
    assert stale.returncode is not None

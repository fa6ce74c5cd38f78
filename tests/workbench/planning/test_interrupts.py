"""Ctrl-C that somebody caught is raised again."""

import signal
import threading
from contextlib import suppress

import pytest

from workbench.planning.interrupts import remembered_interrupts


def test_a_caught_interrupt_is_raised_at_the_next_check() -> None:
    before = signal.getsignal(signal.SIGINT)
    with remembered_interrupts() as check:
        check()
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            check()
    assert signal.getsignal(signal.SIGINT) is before


def test_other_threads_are_let_alone() -> None:
    found = []

    def inside() -> None:
        with remembered_interrupts() as check:
            found.append(check())

    thread = threading.Thread(target=inside)
    thread.start()
    thread.join()
    assert found == [None]

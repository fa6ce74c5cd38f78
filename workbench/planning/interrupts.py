"""Ctrl-C that ends long work, also where a step in it takes the key for an early end of its own."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["remembered_interrupts"]


@contextmanager
def remembered_interrupts() -> Iterator[Callable[[], None]]:
    """Yield a function that raises KeyboardInterrupt if Ctrl-C came since, whoever caught it."""
    # Searches of structures end early on Ctrl-C and return what they have, which long work must not go on
    # with. Outside the main thread, the only one that may set signal handlers, the function does nothing.
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield lambda: None
        return
    came = False

    def remember(number: int, frame: Any) -> Any:
        nonlocal came
        came = True
        return before(number, frame)

    def check() -> None:
        if came:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, remember)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, before)

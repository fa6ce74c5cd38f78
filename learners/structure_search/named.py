"""Which search a user's word stands for."""

from collections.abc import Callable

from learners.structure_search.exact import shortest_network
from learners.structure_search.found_network import FoundNetwork

__all__ = ["search_named"]

_SEARCHES = {"auto": shortest_network, "exact": shortest_network}


def search_named(search: str) -> Callable[..., FoundNetwork]:
    """Give the search of this name.

    Parameters
    ----------
    search : {"auto", "exact"}
        "auto" is the exact search as long as there is no other.

    Returns
    -------
    callable
        Takes what `shortest_network` takes.

    Raises
    ------
    ValueError
        If there is no such search.

    Examples
    --------
    >>> search_named("auto") is shortest_network
    True
    """
    if search not in _SEARCHES:
        raise ValueError(f'search must be "auto" or "exact", but was {search!r}.')
    return _SEARCHES[search]

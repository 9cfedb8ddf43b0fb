"""What follows from a game is worked out once, not once for every phone that shows it.

After each act every phone fetches its page at the same moment. A game at one moment is one frozen
object, so what was worked out of that object for one phone holds for all.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from sonora_vision.web.wording.language import spoken

_KEPT = 64
"""Results of each function: four players' pages in two languages, of some games."""

P = ParamSpec("P")
T = TypeVar("T")


def remembered(work: Callable[P, T]) -> Callable[P, T]:
    """Keep a function's results, by the very objects that it is given and the page's language.

    Texts and numbers are compared by their value. What is returned must not be changed.
    """
    kept: OrderedDict[Hashable, tuple[Any, T]] = OrderedDict()
    lock = threading.Lock()

    @wraps(work)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        given = (*args, *kwargs.values())
        key = (spoken(), tuple(kwargs), *map(_mark, given))
        with lock:
            found = kept.get(key)
            if found is not None:
                kept.move_to_end(key)
                return found[1]
        made = work(*args, **kwargs)
        with lock:
            kept[key] = given, made  # the objects are kept, too: no other gets their identity
            while len(kept) > _KEPT:
                kept.popitem(last=False)
        return made

    return call


def _mark(value: object) -> Hashable:
    return value if value is None or isinstance(value, str | int) else id(value)

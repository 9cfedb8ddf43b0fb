"""How often one visitor may ask, by a clock that stands still until it is moved."""

from __future__ import annotations

from sonora_vision.web import WebParams
from sonora_vision.web.door.rates import Rates
from sonora_vision.web.params import Rate


class _Clock:
    now_s = 50.0

    def __call__(self) -> float:
        return self.now_s


def rates(clock: _Clock) -> Rates:
    slow = Rate(at_once=3, a_second=0.5)
    return Rates(WebParams(act_rate=slow), clock)


def test_some_may_come_at_once_and_then_one_after_the_other() -> None:
    clock = _Clock()
    found = rates(clock)
    assert [found.wait_s("act", "red") for _ in range(4)] == [0, 0, 0, 2.0]
    clock.now_s += 1.0
    assert found.wait_s("act", "red") == 1.0
    clock.now_s += 1.0
    assert found.wait_s("act", "red") == 0
    clock.now_s += 1000.0
    assert [found.wait_s("act", "red") for _ in range(4)] == [0, 0, 0, 2.0]


def test_visitors_and_kinds_are_counted_apart() -> None:
    found = rates(_Clock())
    for _ in range(4):
        found.wait_s("act", "red")
    assert found.wait_s("act", "blue") == 0
    assert found.wait_s("read", "red") == 0


def test_a_disc_that_is_dragged_for_a_minute_is_never_stopped() -> None:
    clock = _Clock()
    found = Rates(WebParams(), clock)
    for _ in range(8 * 60):
        clock.now_s += 1 / 8
        assert found.wait_s("act", "red") == 0

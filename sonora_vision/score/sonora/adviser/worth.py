"""What the adviser counts a bonus as, in points."""

from __future__ import annotations

from dataclasses import dataclass

from sonora_vision.score.sonora.sheet import Animal, Bonus


@dataclass(frozen=True, kw_only=True)
class Worth:
    """Points that a bonus earned now counts as; a stated guess that a player may change.

    The defaults are what greedy play-outs on the house sheet gained from one more of each,
    rounded: an Animal Bonus is worth a middling mark in its section, a Discovery Bonus the best
    of them, a Swap a better landing, a Reflick half of that.
    """

    reflick: int = 2
    swap: int = 3
    fox: int = 5
    owl: int = 5
    rabbit: int = 4
    discovery: int = 6
    later: bool = True
    """Whether there is a later round: without one, what is kept is worth nothing."""

    def of(self, bonus: Bonus) -> int:
        """Return the points that earning a bonus counts as."""
        if bonus in ("reflick", "swap") and not self.later:
            return 0
        return {
            "reflick": self.reflick,
            "swap": self.swap,
            "fox": self.fox,
            "owl": self.owl,
            "rabbit": self.rabbit,
            "discovery": self.discovery,
        }[bonus]

    def kept(self, animal: Animal) -> int:
        """Return the points that an animal saved in the Discovery area counts as."""
        return self.of(animal) if self.later else 0

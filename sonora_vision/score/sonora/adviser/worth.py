"""What the adviser counts a bonus as, in points."""

from __future__ import annotations

from dataclasses import dataclass

from sonora_vision.score.sonora.sheet import Animal, Bonus


@dataclass(frozen=True, kw_only=True)
class Worth:
    """Points that a bonus earned now counts as; a stated guess that a player may change.

    The Animal and Discovery Bonuses are what one more of each gained, on average and rounded, on
    60 sheets of advised games on the house sheet; Swap and Reflick are guesses.
    """

    reflick: int = 2
    swap: int = 3
    fox: int = 6
    owl: int = 5
    rabbit: int = 6
    discovery: int = 7
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

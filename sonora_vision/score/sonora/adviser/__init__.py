"""Advice on how to write: off at the table until a player asks for it."""

from sonora_vision.score.sonora.adviser.advise import Advice, Adviser, Step
from sonora_vision.score.sonora.adviser.search import Plan
from sonora_vision.score.sonora.adviser.swaps import SwapAdvice, advise_swaps
from sonora_vision.score.sonora.adviser.worth import Worth

__all__ = ["Advice", "Adviser", "Plan", "Step", "SwapAdvice", "Worth", "advise_swaps"]

"""Scoresheets as pictures to print and to show."""

from sonora_vision.score.sonora.drawing.page import PAPERS_MM, Paper, draw_sheet

__all__ = ["PAPERS_MM", "Paper", "draw_sheet"]

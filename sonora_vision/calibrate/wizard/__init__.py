"""Calibration by hand, step by step: every step takes a state and returns a state.

The steps know values alone: no files, no pages, and pictures only as pixels that are handed in.
"""

"""Detection: from a frame to measured discs. Measures; never rules."""

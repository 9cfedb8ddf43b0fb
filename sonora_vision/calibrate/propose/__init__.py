"""What a board's picture offers by itself: outline, hole, circles, borders; the owner decides."""

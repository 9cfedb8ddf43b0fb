"""What a board's picture offers by itself: outline, hole, circles, borders. The owner has the say."""

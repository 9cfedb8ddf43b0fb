"""What the pages say, in the visitor's language."""

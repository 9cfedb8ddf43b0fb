"""The camera over the table, and news for open pages."""

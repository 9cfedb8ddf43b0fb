"""Who may come in, and how often: PIN, codes, gate, rates; refusals in words."""

"""Photographs that people send: read, shown, packed."""

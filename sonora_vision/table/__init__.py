"""A game night at one table: who plays, what was read, what was settled; told as events.

``events`` are what can happen, ``fold`` makes of them what is so now (a ``game``), ``store`` keeps
them where a power cut cannot take them, ``tables`` is the one door through which pages and
programs act. No page and no camera is known here.
"""

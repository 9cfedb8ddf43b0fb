"""How an older database becomes a newer one, step by step; run by Alembic.

A step is a module in ``versions``, written by hand, that says what it follows. It must be able to
run on SQLite, where a table is changed by copying it (``batch_alter_table``), and on PostgreSQL.
Add its revision to ``REVISIONS`` in `sonora_vision.table.upgrade`.
"""

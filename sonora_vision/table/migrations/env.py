"""Run by Alembic: takes the connection, in its transaction, that the program hands it."""

from __future__ import annotations

from alembic import context

from sonora_vision.table.rows import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    compare_server_default=True,
)
with context.begin_transaction():
    context.run_migrations()

"""A game that is deleted takes its events along; an index that a constraint has already goes."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Change what ties an event to its game."""
    op.drop_index("ix_events_game_id", "events")
    with op.batch_alter_table("events") as events:
        events.drop_constraint("fk_events_game_id_games", type_="foreignkey")
        events.create_foreign_key(
            "fk_events_game_id_games", "games", ["game_id"], ["id"], ondelete="CASCADE"
        )

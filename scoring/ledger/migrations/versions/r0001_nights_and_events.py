"""Nights, their events in order, and remembered outcomes."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "nights",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("opened_at", sa.Text, nullable=False),
        sa.Column("opening", sa.Text, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("night", sa.Text, sa.ForeignKey("nights.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.UniqueConstraint("night", "id"),
    )
    op.create_table(
        "outcomes",
        sa.Column("night", sa.Text, sa.ForeignKey("nights.id"), primary_key=True),
        sa.Column("fingerprint", sa.Text, primary_key=True),
        sa.Column("outcome", sa.Text, nullable=False),
    )

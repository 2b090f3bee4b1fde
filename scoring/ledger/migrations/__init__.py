"""How a ledger of an older Hupai becomes one of this Hupai: one alembic revision a change of tables."""

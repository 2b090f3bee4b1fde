"""Alembic's entry: run the revisions on the connection that the store hands over, inside the store's transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()

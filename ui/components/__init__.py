"""Parts of screens, each named for what it shows. They know the session's words and values, and no ruleset by name."""

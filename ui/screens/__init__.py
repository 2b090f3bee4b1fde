"""One file per screen. A screen is a component over the session; none of them knows a ruleset by name."""

"""The service: the published leaderboard, a JSON API over the store, and blind voting by people."""

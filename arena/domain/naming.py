"""How the records of a suite name things."""

from typing import Annotated

from pydantic import StringConstraints

Key = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
Text = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]

"""Publishing editions that stand in no store."""

import sys
from types import SimpleNamespace

import pytest

from arena.site import publish


def publish_editions(out, *editions, **changes):
    """The site of some editions, as `publish` makes it of what it gathers."""
    with pytest.MonkeyPatch.context() as patch:
        # The package gives the function, not the module, by this name.
        patch.setattr(sys.modules[publish.__module__], "gather", lambda job, store: store[id(job)])
        published = publish(
            jobs=[e.job for e in editions],
            store={id(e.job): e for e in editions},
            out=out,
            **{"command": "arena run", "software": "arena 0.1.0", **changes},
        )
    return SimpleNamespace(out=out, published=published, editions=editions)

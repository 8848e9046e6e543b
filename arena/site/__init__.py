"""The leaderboard as static pages: gather, render, check, write.

Reads the store and the files of this folder; asks no model and never writes to the store. Whatever
others wrote is hostile: it is escaped, never styled, and every page forbids the network.
"""

from arena.site.publish import Published, PublishedBoard, publish
from arena.site.release import Release

__all__ = ["Published", "PublishedBoard", "Release", "publish"]

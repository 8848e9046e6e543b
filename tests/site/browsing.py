"""Chromium as tests use it: without a network, and every page's troubles kept."""

import os
import shutil
from contextlib import contextmanager

import pytest

ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def launched():
    """A browser; skips where there is none, and fails where there must be one."""
    asked = os.environ.get("ARENA_CHROMIUM")
    path = asked or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        if os.environ.get("ARENA_NEEDS_BROWSER"):
            pytest.fail("no Chromium, and ARENA_NEEDS_BROWSER is set")
        pytest.skip("no Chromium: install one, or name it in ARENA_CHROMIUM")
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield opened
        opened.close()


def watch(page):
    """Keep in `page.trouble` what a page asks of the network, its console and its dialogs."""
    page.trouble = []
    page.on("console", lambda m: page.trouble.append(f"console: {m.text}"))
    page.on("pageerror", lambda e: page.trouble.append(f"error: {e}"))
    page.on("dialog", lambda d: (page.trouble.append(f"dialog: {d.message}"), d.dismiss()))
    page.on("request", lambda r: _keep(page, r.url))
    return page


def _keep(page, url):
    if not url.startswith(("file:", "data:")):
        page.trouble.append(f"request: {url}")

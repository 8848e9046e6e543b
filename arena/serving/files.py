"""The published leaderboard, as files of one folder and nothing outside of it."""

from pathlib import Path
from typing import Any, get_args

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import RedirectResponse
from starlette.staticfiles import StaticFiles

from arena.domain.words import Lang
from arena.serving.doors import Doors

POLICY = "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""Beside the policy that stands in each published page, which is stricter."""


def add_leaderboard(app: FastAPI, folder: Path, doors: Doors) -> None:
    """Serve the files of a folder under every path that is not otherwise taken, to the owner."""
    files = StaticFiles(directory=folder, html=True, check_dir=False)

    async def file(path: str, request: Request) -> Any:
        try:
            doors.owner(request)
        except HTTPException as refused:
            # A person is told on a page; a program, by the status.
            page = "text/html" in request.headers.get("accept", "")
            if page or (path == "" and refused.status_code == 401):
                lang = request.query_params.get("lang")
                return RedirectResponse(
                    f"/enter?lang={lang}" if lang in get_args(Lang) else "/enter", 303
                )
            raise
        if "\0" in path or any(part.startswith(".") for part in path.split("/")):
            raise HTTPException(404, "there is no such file")
        found = await files.get_response(path or ".", request.scope)
        found.headers["content-security-policy"] = POLICY
        found.headers["cache-control"] = "no-cache"
        return found

    app.add_api_route("/{path:path}", file, methods=["GET"], include_in_schema=False)

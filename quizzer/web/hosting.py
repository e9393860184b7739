"""What carries the pages: uvicorn, without a word of its own."""

import logging
import socket

import uvicorn
from starlette.types import ASGIApp


def host(app: ASGIApp, listening: socket.socket) -> None:
    """Answer what comes in at this socket until interrupted."""
    config = uvicorn.Config(
        app,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=0,
    )
    _Server(config).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Ends without a word on the pages that were still being made."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)

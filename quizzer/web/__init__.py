"""The same session in a browser: pages, their guards and the server. Needs the extra `web`."""

"""One file a command, named as the command."""

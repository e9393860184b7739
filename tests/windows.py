"""What quizzer would find on Windows: its own modules see no POSIX, all others see the truth.

prompt_toolkit, asyncio and subprocess have means of their own there; here they use those of Linux.
"""

import types
from typing import Any

BARRED = {"termios", "tty", "pty", "fcntl", "resource", "pwd", "grp"}
MISSING = {
    "os": "fork forkpty setsid killpg getpgrp getpgid setpgid tcgetpgrp tcsetpgrp geteuid getuid "
    "getegid getgid setgroups setresuid setresgid memfd_create waitid uname sysconf statvfs fchmod "
    "fchown chown mkfifo sched_getaffinity getloadavg O_NONBLOCK O_NOFOLLOW O_DIRECTORY O_CLOEXEC "
    "WEXITED WNOHANG WNOWAIT P_PID ctermid ttyname pipe2 posix_spawn register_at_fork",
    "select": "poll epoll",
    "socket": "AF_UNIX send_fds recv_fds",
    "signal": "SIGHUP SIGKILL SIGQUIT SIGTSTP SIGCONT SIGSTOP SIGPIPE SIGALRM SIGCHLD SIGXCPU "
    "SIGWINCH SIGUSR1 pthread_sigmask pthread_kill alarm setitimer",
    "time": "tzset",
    "sys": "",
}
TOLD: dict[str, Any] = {"sys.platform": "win32", "os.name": "nt", "os.O_BINARY": 0}
_truth = __import__


class Bare:
    """A module as Windows has it; what is set in it is set in the true one."""

    def __init__(self, module: types.ModuleType) -> None:
        self.__dict__.update(_module=module, _missing=MISSING[module.__name__].split())

    def __getattr__(self, name: str) -> Any:
        if name in self._missing:
            raise AttributeError(f"Windows has no {self._module.__name__}.{name}")
        told = f"{self._module.__name__}.{name}"
        return TOLD[told] if told in TOLD else getattr(self._module, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._module, name, value)


_bare: dict[str, Any] = {}


def _import(
    name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
) -> Any:
    asking = str((globals or {}).get("__name__", "")).partition(".")[0]
    if asking != "quizzer" or level:
        return _truth(name, globals, locals, fromlist, level)
    if name in BARRED:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    if name == "msvcrt":
        return types.SimpleNamespace(setmode=lambda *_: 0, kbhit=lambda: False)
    module = _truth(name, globals, locals, fromlist, level)
    if name in MISSING:
        return _bare.setdefault(name, Bare(module))
    return module


def pretend() -> None:
    """From here on, in this process and in those that quizzer starts."""
    import builtins

    builtins.__import__ = _import

    from quizzer.sandbox import launch

    boot = f"exec(compile(open({__file__!r}).read(), 'windows', 'exec')); "
    launch._BOOT = f"{boot}__import__('builtins').__import__ = _import; {launch._BOOT}"

"""What a shell does with a program on its terminal: gives it the keys, sees it stop, goes on.

    job_control.py PROGRAM ARGUMENT...

tells on the terminal `job PID`, `stopped` or `ended CODE`, then whether the terminal is as it was;
a line that is typed at `stopped` brings the program back to the front.
"""

import os
import signal
import sys
import termios

before = termios.tcgetattr(0)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
pid = os.fork()
if not pid:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(sys.argv[1], sys.argv[1:])
print(f"job {pid}", flush=True)
while True:
    _, status = os.waitpid(pid, os.WUNTRACED)
    os.tcsetpgrp(0, os.getpgrp())
    kept = "terminal kept" if termios.tcgetattr(0) == before else "TERMINAL CHANGED"
    termios.tcsetattr(0, termios.TCSANOW, before)
    if not os.WIFSTOPPED(status):
        print(f"\r\nended {os.waitstatus_to_exitcode(status)}, {kept}", flush=True)
        break
    print(f"\r\nstopped, {kept}", flush=True)
    sys.stdin.readline()
    os.tcsetpgrp(0, pid)
    os.kill(pid, signal.SIGCONT)

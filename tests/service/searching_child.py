"""A process that searches for nothing and tells how much it gives way."""

import os
import time
from pathlib import Path

from service.workers.searching import take_task, write_line

if __name__ == "__main__":
    task = take_task()
    group = Path("/proc/self/autogroup")
    idle = hasattr(os, "SCHED_IDLE") and os.sched_getscheduler(0) == os.SCHED_IDLE
    write_line(
        (task, os.getpriority(os.PRIO_PROCESS, 0), group.read_text().split()[1:] if group.exists() else [], idle)
    )
    while task == "wait":
        time.sleep(1)

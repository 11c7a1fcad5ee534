"""A job that searches for nothing and tells how much it gives way."""

import os
import time
from pathlib import Path

from service.jobs.process import Job, write_note


def tell(task: str) -> None:
    """Send the task, the niceness, the session's, and whether it runs on idle cores alone."""
    group = Path("/proc/self/autogroup")
    idle = hasattr(os, "SCHED_IDLE") and os.sched_getscheduler(0) == os.SCHED_IDLE
    session = group.read_text().split()[1:] if group.exists() else []
    write_note((task, os.getpriority(os.PRIO_PROCESS, 0), session, idle))
    while task == "wait":
        time.sleep(1)


def telling(task: str) -> Job:
    """The job."""
    return tell, (task,), {}

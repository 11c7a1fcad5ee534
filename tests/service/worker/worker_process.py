"""A worker as a process of its own, for tests that kill it: small batches, so that it is killed among them."""

import sys

from service.worker import Worker

if __name__ == "__main__":
    Worker(sys.argv[1], batch=int(sys.argv[2]), poll=0.2).run()

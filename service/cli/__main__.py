"""`python -m service.cli` is `kibitz`."""

import sys

from service.cli import main

sys.exit(main())

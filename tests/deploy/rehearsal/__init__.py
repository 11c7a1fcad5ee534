"""Every way of running that deploy/README.md names, started and used: `make deploy-rehearsal`, as root on Debian."""

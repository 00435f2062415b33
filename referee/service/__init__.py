"""The referee as a service of systemd: watched over, started again, and watching by itself."""

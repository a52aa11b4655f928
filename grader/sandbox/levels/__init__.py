"""Says which wall holds on this machine, by trying it."""

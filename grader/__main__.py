"""Runs the command line as `python -m grader`."""

from grader.cli.main import main

if __name__ == "__main__":
    main()

"""Runs the zygote and the child: takes orders from the supervisor, answers with frames."""

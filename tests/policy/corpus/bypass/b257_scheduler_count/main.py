import sched
make = sched.scheduler()._sequence_generator.__class__
def solve(d): return make, [n for n, _ in zip(make(), d)]

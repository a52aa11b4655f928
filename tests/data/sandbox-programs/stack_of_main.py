import inspect, sys, traceback, warnings
def f():
    print([frame.function for frame in inspect.stack()])
    traceback.print_stack()
    warnings.warn("careful", stacklevel=2)
    print(sys._getframe(1).f_back)
f()
warnings.warn("main", stacklevel=3)

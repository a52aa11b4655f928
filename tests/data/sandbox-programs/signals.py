import signal
print(signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGPIPE))
signal.signal(signal.SIGALRM, lambda *args: print("alarm", args[0]))
signal.setitimer(signal.ITIMER_REAL, 0.01)
signal.pause()
signal.raise_signal(signal.SIGALRM)
print(signal.pthread_sigmask(signal.SIG_BLOCK, []))

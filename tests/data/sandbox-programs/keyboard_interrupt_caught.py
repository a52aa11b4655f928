try:
    raise KeyboardInterrupt
except KeyboardInterrupt:
    print("stopped")

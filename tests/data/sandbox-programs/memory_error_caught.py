try:
    x = [0] * 10**12
except MemoryError as error:
    print("no memory", repr(error))
print("goes on")

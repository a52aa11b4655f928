import queue, copy
print(queue.WHO, copy.WHO)
import dataclasses

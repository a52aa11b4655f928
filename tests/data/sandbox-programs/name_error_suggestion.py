import collections
maze = 1
collections.dequeue

import threading, time, queue
results = queue.Queue()
def work(n):
    time.sleep(0.01)
    results.put(n * n)
threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(sorted(results.get() for _ in threads))
print(threading.current_thread(), threading.main_thread() is threading.current_thread(), threading.active_count())
def late():
    time.sleep(1)
    print("a thread outlives main")
threading.Thread(target=late).start()
def failing():
    raise ValueError("in a thread")
t = threading.Thread(target=failing, name="T")
t.start(); t.join()
print("end of main")

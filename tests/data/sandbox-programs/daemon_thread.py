import threading, time
threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
print("done")

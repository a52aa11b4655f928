import time, datetime
print(time.gmtime(0)[:6], time.tzname, time.localtime(0).tm_hour, datetime.datetime.fromtimestamp(0))
print(time.process_time() < 5, time.perf_counter() > 0, time.strftime("%Y", time.gmtime(0)))

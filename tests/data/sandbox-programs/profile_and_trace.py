import cProfile, timeit, io, pstats
p = cProfile.Profile(); p.enable(); sum(range(10)); p.disable()
print(timeit.timeit("1", number=10) >= 0, pstats.Stats(p, stream=io.StringIO()).total_calls > 0)

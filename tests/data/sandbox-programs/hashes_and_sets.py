print({"a", "b", "c", "dd", "eee"}, hash("maze"), hash((1, "x")), hash(3.5))
print(list({str(n) for n in range(20)}))

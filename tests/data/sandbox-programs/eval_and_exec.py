exec("x = 1 + 1")
print(x, eval("x * 2"), compile("1", "<mine>", "eval").co_filename)
exec("1 / 0")

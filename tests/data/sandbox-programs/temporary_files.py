import os, tempfile
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "x")
    open(path, "w").write("1")
    print(open(path).read(), os.listdir(folder))
with tempfile.NamedTemporaryFile("w+") as file:
    file.write("abc"); file.seek(0); print(file.read())
print(os.path.exists(folder), sorted(os.listdir(".")))

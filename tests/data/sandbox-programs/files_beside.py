import os
print(sorted(os.listdir(".")), os.getcwd() == os.path.dirname(os.path.abspath(__file__)))
with open("maze.txt") as file:
    print(file.read())
with open("out/new.txt" if os.path.isdir("out") else "new.txt", "w") as file:
    file.write("abc")
print(open("new.txt").read(), os.path.getsize("new.txt"))
os.rename("new.txt", "moved.txt")
os.mkdir("folder")
os.remove("moved.txt")
os.rmdir("folder")
print(sorted(os.listdir(".")))
try:
    open("missing.txt")
except FileNotFoundError as error:
    print(error)

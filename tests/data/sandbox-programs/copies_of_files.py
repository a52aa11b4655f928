import shutil, os, glob, pathlib
shutil.copyfile("maze.txt", "copy.txt")
print(pathlib.Path("copy.txt").read_text() == open("maze.txt").read(), sorted(glob.glob("*.txt")))
os.symlink("maze.txt", "link.txt")
print(os.path.islink("link.txt"), os.readlink("link.txt"))
shutil.rmtree("nothing", ignore_errors=True)
os.makedirs("a/b/c"); shutil.rmtree("a"); print(os.path.exists("a"))

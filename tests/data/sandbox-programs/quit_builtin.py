print(exit, quit)
quit(5)

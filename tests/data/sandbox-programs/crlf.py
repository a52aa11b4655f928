print("one")
if True:
    print("""a
b""")

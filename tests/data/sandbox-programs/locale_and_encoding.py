import locale, os, sys
print(locale.getlocale(), locale.getpreferredencoding(), sys.flags.utf8_mode)
print(f"{1234567.891:n}", sorted(["b", "a", "é", "Z"]))
with open("x.txt", "w") as file:
    file.write("é")
    print(file.encoding)
print(os.fsencode("é"))

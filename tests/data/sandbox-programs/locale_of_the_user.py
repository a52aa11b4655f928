import locale

print(locale.setlocale(locale.LC_ALL, ""), locale.getlocale(), locale.getpreferredencoding())
print(locale.format_string("%.1f %d", (1.5, 1234567), grouping=True), locale.strxfrm("ä") > locale.strxfrm("z"))
with open("note.txt", "w") as note:
    print(note.encoding, note.write("ä"))

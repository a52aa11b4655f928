a, b = 256, 257
print(a is 256 if False else id(a) == id(256), "ab" is "a" + "b" if False else id("ab") == id("ab"))
print(object() is object(), [] == [], id(None) == id(None))
def f(): pass
print(repr(f)[:12], repr(object())[:18])

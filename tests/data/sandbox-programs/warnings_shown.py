import warnings
warnings.warn("old way", DeprecationWarning)
warnings.warn("user warning")
print("\d")
x = 1
assert (x, "always true")
print(x is 1)

from collections import Counter
class Sized(Counter):
    def link(self): return type(super().elements())
link = Sized('ab').link()
def solve(d): return link, list(link(*d))

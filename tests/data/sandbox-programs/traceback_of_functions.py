def outer(n):
    return inner(n) + 1


def inner(n):
    table = {"a": 1}
    return table["b" * n]


try:
    outer(2)
except KeyError:
    outer(1)

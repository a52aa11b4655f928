class Trouble(Exception):
    pass


try:
    int("x")
except ValueError as error:
    raise Trouble("while reading") from error

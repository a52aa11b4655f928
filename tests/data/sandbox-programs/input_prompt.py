name = input("Please give the maze file:")
print("got", repr(name))
print(repr(input()))
try:
    input("more? ")
except EOFError as error:
    print("EOF", error)
import sys
print(repr(sys.stdin.read()))
input()

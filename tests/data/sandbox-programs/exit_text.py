import sys
print("before")
sys.exit("leaving: no maze")

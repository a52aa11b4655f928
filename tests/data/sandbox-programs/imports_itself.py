import sys
print(__name__, [name for name in sys.modules if "solution" in name])
if __name__ == "__main__":
    import solution
    print(solution.__name__, solution.__file__ == __file__)

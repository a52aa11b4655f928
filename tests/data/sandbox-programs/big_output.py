for row in range(3000):
    print("#" * 100, row)

import random
random.seed(42)
print(random.random(), random.randint(1, 6), random.sample(range(9), 3), random.choice("abc"))
print(random.Random(7).gauss(0, 1))
state = random.getstate()[1][-1]
print(state >= 0)

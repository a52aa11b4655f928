größe = 3
print(größe, "ﬁ".encode(), f"{'π':>4}|")
raise ValueError("für")

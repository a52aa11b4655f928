"""Wrong: prints the answer of the handout's example whatever the maze is."""

print("The shortest path length was 5 steps.")
print("The path was (2, 0) -> (1, 0) -> (0, 0) -> (0, 2) -> (1, 1) -> (0, 1).")

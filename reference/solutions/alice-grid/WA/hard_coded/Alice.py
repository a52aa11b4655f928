"""Wrong: prints the answer of the handout's example whatever the maze is."""

print("(0,2)->(0,1)->(0,0)->(2,0)->(1,1)->(1,0)")
print("length is 5")

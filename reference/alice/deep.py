"""Small mazes on which rare faults show, in the format of alice-csv."""

DEEP = (
    "3\n2,0\n2,2\nB,167,Y,58,R,148\nR,468,B,237,Y,348\nB,48,R,248,G,0\n",
    "3\n1,0\n1,2\nB,14,B,67,Y,346\nB,27,B,5,G,0\nR,46,B,58,B,18\n",
    "3\n0,1\n0,2\nB,457,B,8,G,0\nB,356,B,27,B,567\nB,28,B,3,R,8\n",
    "3\n1,2\n0,2\nB,368,B,6,G,0\nB,368,B,14,B,135\nB,234,B,134,R,1\n",
    "4\n3,2\n1,3\nR,5,B,134,B,7,Y,7\nY,3,B,13,R,6,G,0\nB,245,Y,27,B,38,R,14\nB,268,B,134,B,146,B,28\n",
    "4\n3,0\n0,1\nB,56,G,0,R,236,Y,78\nY,248,R,67,B,478,R,68\nB,134,R,368,R,1,Y,68\nB,46,B,358,Y,1,R,2\n",
    "4\n1,3\n0,3\nY,36,B,5,B,8,G,0\nY,456,R,4,B,257,B,157\nY,467,R,8,Y,78,R,148\nR,2,B,4,R,2,R,24\n",
    "4\n0,2\n2,2\nB,56,Y,48,B,17,B,147\nB,146,B,4,B,158,Y,37\nB,5,B,256,G,0,R,28\nY,134,R,4,B,45,R,145\n",
)
"""Long solutions for their size, 10 to 22 moves: changed at random, keeping what lengthens the way."""

TRICKY = (
    "4\n1,0\n3,0\nR,5,B,6,B,5,B,5\nB,24,B,5,R,6,B,7\nB,1,B,8,B,25,B,8\nG,0,B,1,B,8,B,8\n",
    "5\n0,1\n3,1\nR,4,B,6,B,2,B,7,Y,8\nR,6,B,568,B,7,B,8,B,6\nY,5,B,5,B,58,B,4,B,7\nR,2,G,0,B,6,B,5,R,1\nB,8,B,5,R,1,B,3,B,8\n",
    "4\n1,0\n2,3\nR,56,Y,8,B,7,Y,6\nB,6,B,5,B,7,B,6\nB,4,R,2,B,1,G,0\nY,4,B,3,Y,4,R,2\n",
    "4\n3,0\n3,3\nB,8,B,8,B,3,R,6\nB,8,B,3,Y,5,B,2\nB,5,B,5,B,3,B,2\nB,3,B,7,R,8,G,0\n",
    "4\n0,0\n3,0\nB,45,R,4,B,6,R,6\nB,1,B,6,B,8,B,2\nB,2,B,4,B,7,B,4\nG,0,B,18,B,2,R,8\n",
    "5\n2,2\n4,3\nB,8,B,6,B,8,R,6,B,4\nB,4,R,5,B,6,B,5,B,8\nB,5,B,6,B,1,B,6,B,8\nB,6,B,3,B,8,R,2,B,5\nB,8,B,8,B,4,G,0,B,6\n",
    "6\n0,0\n0,5\nB,46,B,4,B,46,B,4,B,4,G,0\nR,6,B,2,B,8,Y,2,B,6,B,8\nB,24,B,4,B,1,B,6,B,8,B,7\nB,4,B,1,R,3,B,2,Y,8,B,1\nB,2,Y,4,B,2,B,8,B,6,B,8\nB,4,B,4,B,2,B,1,B,8,B,8\n",
    "6\n4,0\n5,5\nB,236,R,458,B,1,B,135,B,2,B,567\nR,2,Y,12,B,458,B,458,R,346,B,3\nR,345,R,4,B,17,Y,2,B,568,R,146\nR,48,Y,7,B,237,Y,26,B,7,B,368\nB,2,B,237,B,4,R,348,Y,457,R,14\nR,245,B,137,Y,468,B,137,B,678,G,0\n",
    "6\n1,2\n1,4\nR,347,B,458,B,168,B,38,Y,368,R,3\nB,47,R,46,B,128,R,7,G,0,B,3\nB,26,Y,12,B,8,Y,456,Y,45,R,578\nB,36,B,8,R,135,Y,7,Y,7,B,4\nR,12,R,267,B,238,Y,458,B,7,R,18\nR,16,Y,7,R,245,Y,8,B,468,B,1\n",
)
"""Two ways that meet on one square in the same step, detours that pay, many values of d, three visits and more."""

"""Small mazes with long solutions, in the format of alice-csv."""

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
"""Found by changing random mazes and keeping what lengthens their solutions: 10 to 22 moves."""

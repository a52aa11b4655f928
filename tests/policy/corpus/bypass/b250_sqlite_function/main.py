import sqlite3
box = []
con = sqlite3.connect(':memory:')
con.create_function('use', 1, lambda n: box.append(__import__(n)))
con.execute("select use('copy')").fetchall()
def solve(d): return box[0].deepcopy, box[0].deepcopy(d)

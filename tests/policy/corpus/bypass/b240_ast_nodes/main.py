import ast
tree = ast.Module([ast.Import([ast.alias('copy')])], [])
exec(compile(ast.fix_missing_locations(tree), 'x', 'exec'))
def solve(d): return copy.deepcopy, copy.deepcopy(d)

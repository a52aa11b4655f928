import logging, statistics, string, textwrap, time, datetime
def solve(grid):
    logging.getLogger('copy').info('x')
    return statistics.mean([1, 2]), statistics.mode('aab'), textwrap.dedent(' a'), datetime.date(2020, 1, 1).isoformat(), string.ascii_lowercase[2:4] + 'py'

def kit(:

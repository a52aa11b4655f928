import statistics

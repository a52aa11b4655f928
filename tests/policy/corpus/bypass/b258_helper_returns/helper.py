def library(name):
    return __import__(name)

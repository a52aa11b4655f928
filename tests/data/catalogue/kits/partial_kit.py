"""A kit that can only parse."""


class Partial:
    def parse(self, text):
        return text


def kit(**rules):
    return Partial()

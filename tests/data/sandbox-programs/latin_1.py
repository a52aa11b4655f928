# -*- coding: latin-1 -*-
print("café", ascii("é"))

import helper
from package import part
from package.part import VALUE
print(helper.NAME, helper.__file__.endswith("helper.py"), part.VALUE, VALUE, part.__name__, part.__package__)
import package
print(package.__path__[0].endswith("package"))

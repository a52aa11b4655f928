import io, sys
sys.stdout = io.StringIO()
print("lost")
text = sys.stdout.getvalue()
sys.stdout = sys.__stdout__
print("kept", repr(text))

print("bom é")

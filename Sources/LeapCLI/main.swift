print("leap")

print("leap-bench")

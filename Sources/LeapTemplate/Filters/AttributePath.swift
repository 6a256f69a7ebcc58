/// What filters accept as `attribute`: `"a.b.0"` or an index.
struct AttributePath {
    private let keys: [Value]

    init(_ value: Value) {
        guard let text = value.text else {
            keys = value.isNone ? [] : [value]
            return
        }
        keys = text.split(at: ".").map { part in
            let isIndex = !part.isEmpty && part.unicodeScalars.allSatisfy(\.isDigit)
            return isIndex ? Int(part).map(Value.int) ?? .string(part) : .string(part)
        }
    }

    /// - Parameter fallback: Replaces anything undefined along the path.
    func look(up item: Value, _ run: Interpreter, default fallback: Value? = nil) throws(Failure) -> Value {
        var result = item
        for key in keys {
            result = try run.item(of: result, key)
            if let fallback, result.isUndefined { result = fallback }
        }
        return result
    }
}

extension Value {
    /// A string in lower case, for case-insensitive comparison; any other value unchanged.
    func ignoringCase(_ budget: Budget) throws(Failure) -> Value {
        guard let text else { return self }
        try budget.touch(text.utf8.count * 8)
        return try budget.string(text.pythonLowercased())
    }
}

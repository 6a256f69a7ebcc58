import LeapGGUF

/// Writes the metadata of an architecture, whose keys begin with its name.
struct KeyWriter {
    let architecture: String
    var writer: GGUFWriter

    /// Sets a count or a size.
    mutating func set(_ key: String, _ value: Int) {
        writer.set("\(architecture).\(key)", .uint32(UInt32(clamping: value)))
    }

    mutating func set(_ key: String, _ value: Float) { writer.set("\(architecture).\(key)", .float32(value)) }
    mutating func set(_ key: String, _ value: Bool) { writer.set("\(architecture).\(key)", .bool(value)) }
    mutating func set(_ key: String, _ value: String) { writer.set("\(architecture).\(key)", .string(value)) }
    mutating func set(_ key: String, _ values: [Bool]) { writer.set("\(architecture).\(key)", array: values) }

    /// Sets one number per layer.
    mutating func set(_ key: String, _ values: [Int]) {
        writer.set("\(architecture).\(key)", array: values.map { Int32(clamping: $0) })
    }

    mutating func remove(_ key: String) { writer.remove("\(architecture).\(key)") }
}

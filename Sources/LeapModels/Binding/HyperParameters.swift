import LeapGGUF
import LeapOps

/// Reads the hyper-parameters of one architecture, whose keys begin with its name.
struct HyperParameters {
    let metadata: GGUFMetadata
    let architecture: String

    /// The full key, such as `lfm2.block_count`.
    func key(_ name: String) -> String { "\(architecture).\(name)" }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(ModelError) -> Int {
        try reading { () throws(GGUFError) in try metadata.integer(key(name), in: range) }
    }

    func integerIfPresent(_ name: String, in range: ClosedRange<Int>) throws(ModelError) -> Int? {
        try reading { () throws(GGUFError) in try metadata.integerIfPresent(key(name), in: range) }
    }

    func float(_ name: String) throws(ModelError) -> Float {
        try reading { () throws(GGUFError) in try metadata.float(key(name)) }
    }

    func floatIfPresent(_ name: String) throws(ModelError) -> Float? {
        try reading { () throws(GGUFError) in try metadata.floatIfPresent(key(name)) }
    }

    /// A factor; `nil` if the key is absent or 0, which means that there is none. Bounds that no sane model
    /// exceeds keep products of factors finite.
    func factorIfPresent(_ name: String) throws(ModelError) -> Float? {
        guard let value = try floatIfPresent(name), value != 0 else { return nil }
        guard (1e-6...1e6).contains(value) else {
            throw .contradiction("\(key(name)) is \(value), but must be from 0.000001 to 1000000")
        }
        return value
    }

    /// The factor of the first of two keys that exists.
    func factorIfPresent(_ name: String, orElse other: String) throws(ModelError) -> Float? {
        if let value = try factorIfPresent(name) { return value }
        return try factorIfPresent(other)
    }

    /// Tokens of the sequences that a model was first trained on: its context if the file does not say.
    func originalContextLength() throws(ModelError) -> Int {
        let key = "rope.scaling.original_context_length"
        if let length = try integerIfPresent(key, in: 1...1 << 30) { return length }
        return try integer("context_length", in: 1...1 << 30)
    }

    /// The value of the first of two keys that exists; newer files use the first.
    func floatIfPresent(_ name: String, orElse olderName: String) throws(ModelError) -> Float? {
        if let value = try floatIfPresent(name) { return value }
        return try floatIfPresent(olderName)
    }

    func stringIfPresent(_ name: String) throws(ModelError) -> String? {
        try reading { () throws(GGUFError) in try metadata.stringIfPresent(key(name)) }
    }

    func stringsIfPresent(_ name: String) throws(ModelError) -> [String]? {
        let strings = try reading { () throws(GGUFError) in try metadata.stringsIfPresent(key(name)) }
        return strings.map { Array($0) }
    }

    func boolIfPresent(_ name: String) throws(ModelError) -> Bool? {
        try reading { () throws(GGUFError) in try metadata.boolIfPresent(key(name)) }
    }

    /// Whether the value of a key is an array.
    func isArray(_ name: String) -> Bool {
        if case .array(_)? = metadata.value(key(name)) { true } else { false }
    }

    /// One value per block: an array of that many, or a single value that holds for all; `nil` if the key is absent.
    func integersPerBlockIfPresent(_ name: String, blockCount: Int, in range: ClosedRange<Int>) throws(ModelError)
        -> [Int]?
    {
        guard let value = metadata.value(key(name)) else { return nil }
        guard case .array = value else {
            return [Int](repeating: try integer(name, in: range), count: blockCount)
        }
        let values = try reading { () throws(GGUFError) in try metadata.integers(key(name)) }
        guard values.count == blockCount else {
            throw .contradiction("\(key(name)) has \(values.count) entries for \(blockCount) blocks")
        }
        for (block, value) in values.enumerated() where !range.contains(value) {
            throw .contradiction(
                "\(key(name))[\(block)] is \(value), but must be \(range.lowerBound) to \(range.upperBound)")
        }
        return values
    }

    /// One value per block, see ``integersPerBlockIfPresent(_:blockCount:in:)``.
    func integersPerBlock(_ name: String, blockCount: Int, in range: ClosedRange<Int>) throws(ModelError) -> [Int] {
        if let values = try integersPerBlockIfPresent(name, blockCount: blockCount, in: range) { return values }
        // Absent: the typed getter reports that.
        return [Int](repeating: try integer(name, in: range), count: blockCount)
    }
}

/// Runs a getter of the file's metadata; its error becomes a model's.
func reading<Value>(_ read: () throws(GGUFError) -> Value) throws(ModelError) -> Value {
    do { return try read() } catch { throw .metadata(error) }
}

/// The metadata of a file: its keys, in the file's order, and their values.
///
/// Numbers are read when the file is opened; strings are decoded on access.
public struct GGUFMetadata: Sendable {
    /// The name of the file, for errors.
    let fileName: String

    private let file: FileBytes
    private(set) var entries: [Entry] = []
    private var positions: [String: Int] = [:]

    /// One key with its value.
    struct Entry: Sendable {
        let key: String
        let payload: Payload
        /// The value's bytes, from its type number on.
        let range: Range<Int>
    }

    /// A value, or where to find it.
    enum Payload: Sendable {
        case value(GGUFValue)
        case string(utf8: Range<Int>)
    }

    init(file: FileBytes) {
        self.file = file
        fileName = file.name
    }

    /// Appends an entry; `false` if the key already exists.
    mutating func append(_ entry: Entry) -> Bool {
        guard positions.updateValue(entries.count, forKey: entry.key) == nil else { return false }
        entries.append(entry)
        return true
    }

    /// The keys in the file's order.
    public var keys: [String] { entries.map(\.key) }

    /// The number of entries.
    public var count: Int { entries.count }

    /// Whether the file has the key.
    public func contains(_ key: String) -> Bool { positions[key] != nil }

    /// Returns the value of a key, or `nil` if the key is missing.
    public func value(_ key: String) -> GGUFValue? {
        guard let position = positions[key] else { return nil }
        return value(of: entries[position])
    }

    /// Returns the bytes of a key's value as stored in the file, starting with the type number; `nil` if the key is
    /// missing.
    public func encodedValue(_ key: String) -> UnsafeRawBufferPointer? {
        guard let position = positions[key] else { return nil }
        return encodedValue(of: entries[position])
    }

    /// The bytes of an entry's value as stored in the file, from the type number on.
    func encodedValue(of entry: Entry) -> UnsafeRawBufferPointer { file[entry.range] }

    private func value(of entry: Entry) -> GGUFValue {
        switch entry.payload {
        case .value(let value): value
        case .string(let utf8): .string(String(decoding: file[utf8], as: UTF8.self))
        }
    }
}

/// A GGUF file assembled field by field, so that any field can be invalid.
///
/// Counts and offsets are right unless a test says otherwise.
public struct HandmadeGGUF: Sendable {
    /// The first four bytes.
    public var magic = Array("GGUF".utf8)
    /// The version of the format.
    public var version: UInt32 = 3
    /// The tensor count in the header, if it differs from the number of `tensors`.
    public var tensorCount: UInt64?
    /// The entry count in the header, if it differs from the number of `metadata` entries.
    public var metadataCount: UInt64?
    /// The metadata section.
    public var metadata: [Entry] = []
    /// The tensor section.
    public var tensors: [Tensor] = []
    /// The data section starts at the next multiple of this.
    public var alignment = 32
    /// The data section.
    public var data: [UInt8] = []

    /// A file without content.
    public init() {}

    /// A metadata entry.
    public struct Entry: Sendable {
        /// The key's bytes.
        public var key: [UInt8]
        /// The type number of the value.
        public var type: UInt32
        /// The value.
        public var value: [UInt8]

        /// Makes an entry of any bytes.
        public init(_ key: String, type: UInt32, _ value: [UInt8]) {
            self.key = Array(key.utf8)
            self.type = type
            self.value = value
        }

        /// An entry of type `uint32`.
        public static func uint32(_ key: String, _ value: UInt32) -> Entry {
            Entry(key, type: 4, littleEndian(value))
        }

        /// An entry of type `string`.
        public static func string(_ key: String, _ value: String) -> Entry {
            Entry(key, type: 8, ggufString(value.utf8))
        }

        /// An array of a type number, a count and the elements' bytes.
        public static func array(_ key: String, of type: UInt32, count: UInt64, _ elements: [UInt8]) -> Entry {
            Entry(key, type: 9, littleEndian(type) + littleEndian(count) + elements)
        }

        /// An array of strings.
        public static func strings(_ key: String, _ strings: [String]) -> Entry {
            array(key, of: 8, count: UInt64(strings.count), strings.flatMap { ggufString($0.utf8) })
        }
    }

    /// An entry of the tensor section.
    public struct Tensor: Sendable {
        /// The name's bytes.
        public var name: [UInt8]
        /// The dimension count in the file, if it differs from the number of `dimensions`.
        public var dimensionCount: UInt32?
        /// The dimensions.
        public var dimensions: [UInt64]
        /// The type number; 0 is `F32`.
        public var type: UInt32
        /// Bytes from the start of the data section.
        public var offset: UInt64

        /// Makes an entry.
        public init(_ name: String, dimensions: [UInt64], type: UInt32 = 0, offset: UInt64 = 0) {
            self.name = Array(name.utf8)
            self.dimensions = dimensions
            self.type = type
            self.offset = offset
        }
    }

    /// The whole file.
    public var bytes: [UInt8] {
        var bytes = magic + littleEndian(version)
        bytes += littleEndian(tensorCount ?? UInt64(tensors.count))
        bytes += littleEndian(metadataCount ?? UInt64(metadata.count))
        for entry in metadata { bytes += ggufString(entry.key) + littleEndian(entry.type) + entry.value }
        for tensor in tensors { bytes += Self.encoded(tensor) }
        guard !data.isEmpty else { return bytes }
        while !bytes.count.isMultiple(of: alignment) { bytes.append(0) }
        return bytes + data
    }

    private static func encoded(_ tensor: Tensor) -> [UInt8] {
        ggufString(tensor.name) + littleEndian(tensor.dimensionCount ?? UInt32(tensor.dimensions.count))
            + tensor.dimensions.flatMap { littleEndian($0) } + littleEndian(tensor.type) + littleEndian(tensor.offset)
    }
}

/// An integer's bytes, least significant first.
public func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
}

/// A length and bytes, as GGUF stores a string.
public func ggufString(_ bytes: some Collection<UInt8>) -> [UInt8] {
    littleEndian(UInt64(bytes.count)) + bytes
}

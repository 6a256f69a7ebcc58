/// Reads and validates the metadata section.
///
/// One pass over the section: numbers are decoded, strings are only measured, and the places of
/// all strings in an array are noted.
struct MetadataParser {
    private(set) var cursor: ByteCursor
    private var arrayElements = Budget(limit: GGUFLimits.arrayElements)
    private var nestedArrays = Budget(limit: GGUFLimits.nestedArrays)

    /// Starts at the metadata count in the header.
    init(_ cursor: ByteCursor) { self.cursor = cursor }

    /// The string of one key; `nil` if the section has no such string. Reads no further than that key.
    mutating func parseString(_ wanted: String) throws(GGUFError) -> String? {
        for index in 0..<(try parseCount()) {
            let key = try parseKey(index)
            let entry = try parseEntry(key)
            if key == wanted, case .string(let utf8) = entry.payload {
                return String(decoding: cursor.file[utf8], as: UTF8.self)
            }
        }
        return nil
    }

    /// All entries.
    mutating func parse() throws(GGUFError) -> GGUFMetadata {
        let count = try parseCount()
        var metadata = GGUFMetadata(file: cursor.file)
        for index in 0..<count {
            let start = cursor
            let key = try parseKey(index)
            guard metadata.append(try parseEntry(key)) else { throw start.error(.duplicateKey(key)) }
        }
        return metadata
    }

    private mutating func parseCount() throws(GGUFError) -> Int {
        try cursor.count(.metadataCount, eachAtLeast: Self.smallestEntry, limit: GGUFLimits.metadataEntries)
    }

    /// A key of one letter, a type and one byte.
    private static let smallestEntry = 8 + 1 + 4 + 1

    private mutating func parseKey(_ index: Int) throws(GGUFError) -> String {
        let start = cursor
        let range = try cursor.string(.key(index: index))
        guard !range.isEmpty else { throw start.error(.emptyName(.key(index: index))) }
        guard range.count <= GGUFLimits.keyLength else {
            throw start.error(.longName(.key(index: index), length: range.count, limit: GGUFLimits.keyLength))
        }
        let key = cursor.file[range]
        guard key.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw start.error(.keyNotASCII(.key(index: index)))
        }
        return String(decoding: key, as: UTF8.self)
    }

    private mutating func parseEntry(_ key: String) throws(GGUFError) -> GGUFMetadata.Entry {
        let start = cursor.offset
        let type = try parseType(.valueType(key: key))
        let payload = try parsePayload(type, key)
        return GGUFMetadata.Entry(key: key, payload: payload, range: start..<cursor.offset)
    }

    private mutating func parseType(_ field: @autoclosure () -> GGUFField) throws(GGUFError) -> GGUFValueType {
        let start = cursor
        let number: UInt32 = try cursor.integer(field())
        guard let type = GGUFValueType(rawValue: number) else {
            throw start.error(.unknownValueType(field(), number))
        }
        return type
    }

    private mutating func parsePayload(
        _ type: GGUFValueType, _ key: String
    ) throws(GGUFError) -> GGUFMetadata.Payload {
        if type == .string { return .string(utf8: try cursor.string(.value(key: key))) }
        guard let scalar = type.scalar else { return .value(.array(try parseArray(key, depth: 1))) }
        let range = try parseScalars(scalar, count: 1, key)
        return .value(scalar.init(ggufBytes: cursor.file.bytes, at: range.lowerBound).ggufValue)
    }

    private mutating func parseScalars(
        _ scalar: any GGUFScalar.Type, count: Int, _ key: String
    ) throws(GGUFError) -> Range<Int> {
        let start = cursor.offset
        // Cannot overflow: callers have compared the count with what is left of the file.
        let range = try cursor.skip(UInt64(count * scalar.ggufSize), .value(key: key))
        if scalar.ggufType == .bool, let index = cursor.file[range].firstIndex(where: { $0 > 1 }) {
            let found = cursor.file[range][index]
            let field = count == 1 ? GGUFField.value(key: key) : .arrayElement(key: key, index: index)
            throw .format(file: cursor.file.name, offset: start + index, .invalidBool(field, found: found))
        }
        return range
    }
}

// MARK: - Arrays

extension MetadataParser {
    private mutating func parseArray(_ key: String, depth: Int) throws(GGUFError) -> GGUFArray {
        guard depth <= GGUFLimits.nesting else {
            throw cursor.error(.nestedTooDeep(.value(key: key), limit: GGUFLimits.nesting))
        }
        let type = try parseType(.elementType(key: key))
        let count = try cursor.count(.elementCount(key: key), eachAtLeast: type.smallestSize)
        guard arrayElements.spend(count) else {
            throw cursor.error(.tooMany(.elementCount(key: key), count: UInt64(count), limit: arrayElements.limit))
        }
        let start = cursor.offset
        let elements = try parseElements(type, count: count, key, depth: depth)
        return GGUFArray(elementType: type, range: start..<cursor.offset, elements: elements, file: cursor.file)
    }

    private mutating func parseElements(
        _ type: GGUFValueType, count: Int, _ key: String, depth: Int
    ) throws(GGUFError) -> GGUFArray.Elements {
        if let scalar = type.scalar {
            _ = try parseScalars(scalar, count: count, key)
            return .scalars(scalar, count: count)
        }
        if type == .string { return .strings(try parseStrings(count, key)) }
        guard nestedArrays.spend(count) else {
            throw cursor.error(.tooMany(.elementCount(key: key), count: UInt64(count), limit: nestedArrays.limit))
        }
        var arrays: [GGUFArray] = []
        for _ in 0..<count { arrays.append(try parseArray(key, depth: depth + 1)) }
        return .arrays(arrays)
    }

    private mutating func parseStrings(_ count: Int, _ key: String) throws(GGUFError) -> GGUFStrings {
        let start = cursor.offset
        var offsets: [UInt32] = [0]
        offsets.reserveCapacity(count + 1)
        for index in 0..<count {
            guard let string = cursor.stringIfComplete() else {
                throw cursor.incompleteString(.arrayElement(key: key, index: index))
            }
            guard let end = UInt32(exactly: string.upperBound - start) else {
                let length = UInt64(string.upperBound - start)
                throw cursor.error(.tooMany(.arraySize(key: key), count: length, limit: Int(clamping: UInt32.max)))
            }
            offsets.append(end)
        }
        return GGUFStrings(file: cursor.file, start: start, offsets: offsets)
    }
}

/// A number of things that a whole file may have.
private struct Budget {
    let limit: Int
    private var left: Int

    init(limit: Int) {
        self.limit = limit
        left = limit
    }

    /// Takes a number off; `false` when fewer are left.
    mutating func spend(_ count: Int) -> Bool {
        guard count <= left else { return false }
        left -= count
        return true
    }
}

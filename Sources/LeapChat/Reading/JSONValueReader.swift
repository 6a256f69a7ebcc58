import LeapJSON

/// Reads one JSON value of a block of calls, byte by byte.
struct JSONValueReader {
    private var parser = PartialJSONParser()
    private var bytes: [UInt8] = []
    private var escapes = SurrogateEscapes()
    private var isScalar = false
    /// The value, once it is complete; `nil` if it is invalid.
    private(set) var value: JSONValue?

    /// Whether nothing has been read yet.
    var isEmpty: Bool { bytes.isEmpty }

    /// Continues reading.
    ///
    /// - Parameter take: Receives the bytes of the value, whose text becomes the same value as ``value``.
    mutating func read(_ input: inout CallInput, _ take: (UInt8) -> Void) -> CallProgress {
        while let byte = input.next {
            if bytes.isEmpty {
                isScalar = !Self.containers.contains(byte)
            } else if isScalar, Self.ends.contains(byte) {
                return finish()
            }
            bytes.append(byte)
            parser.append(utf8: CollectionOfOne(byte))
            // The byte is left, because a mark may begin with it.
            if parser.isMalformed { return .failed(.unexpected(expected: "JSON", found: excerpt)) }
            input.position += 1
            escapes.append(byte, take)
            if !isScalar, parser.isComplete { return finish() }
        }
        return .undecided
    }

    private static let containers = Set("{[\"".utf8)
    private static let ends = Set(",}] \n\t\r".utf8)

    private mutating func finish() -> CallProgress {
        var parser = JSONParser(bytes: bytes, rejectsDuplicateKeys: true)
        do throws(JSONError) {
            value = try parser.parseNextDocument()?.value
            return value == nil ? .failed(.unexpected(expected: "JSON", found: excerpt)) : .done
        } catch { return .failed(JSONCalls.problem(error)) }
    }

    private var excerpt: String { String(decoding: bytes.suffix(20), as: UTF8.self) }
}

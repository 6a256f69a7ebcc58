import LeapJSON

/// Replaces the field `model` in the bytes of a request. Everything else is left untouched, so that numbers and unknown
/// fields arrive exactly as they were written.
enum ModelField {
    /// A request for another model.
    ///
    /// - Parameter document: A JSON object that was parsed without errors.
    static func replaced(in document: [UInt8], by model: String) -> [UInt8] {
        let value = Array(JSONValue.string(model).text().utf8)
        var scanner = Scanner(document)
        if let range = scanner.value(of: "model") {
            return document[..<range.lowerBound] + value + document[range.upperBound...]
        }
        guard let brace = document.firstIndex(of: UInt8(ascii: "{")) else { return document }
        let member = Array("\"model\":".utf8) + value + (scanner.isEmpty ? [] : [UInt8(ascii: ",")])
        return document[...brace] + member + document[(brace + 1)...]
    }

    /// Iterates over the members of a document's object.
    private struct Scanner {
        private let bytes: [UInt8]
        private var place = 0
        /// Whether there are no members; known after iteration.
        private(set) var isEmpty = true

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        /// The range of a member's value; `nil` if absent.
        mutating func value(of name: String) -> Range<Int>? {
            place = 0
            skipSpace()
            guard take("{") else { return nil }
            while place < bytes.count {
                skipSpace()
                guard peek("\"") else { return nil }
                isEmpty = false
                let key = place
                skipString()
                let isWanted = Self.text(bytes[key..<place]) == name
                skipSpace()
                guard take(":") else { return nil }
                skipSpace()
                let start = place
                skipValue()
                if isWanted { return start..<place }
                skipSpace()
                guard take(",") else { return nil }
            }
            return nil
        }

        private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
            (try? JSONValue(parsing: bytes))?.string
        }

        private func peek(_ character: Unicode.Scalar) -> Bool {
            place < bytes.count && bytes[place] == UInt8(ascii: character)
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard peek(character) else { return false }
            place += 1
            return true
        }

        private mutating func skipSpace() {
            while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
        }

        private mutating func skipString() {
            place += 1
            while place < bytes.count, !peek("\"") { place += peek("\\") ? 2 : 1 }
            place = min(place + 1, bytes.count)
        }

        /// Skips a value: a string, a bracketed value, or a word up to its delimiter.
        private mutating func skipValue() {
            if peek("\"") { return skipString() }
            var depth = 0
            while place < bytes.count {
                if peek("\"") {
                    skipString()
                    continue
                }
                if peek("{") || peek("[") { depth += 1 }
                if peek("}") || peek("]") {
                    guard depth > 0 else { return }
                    depth -= 1
                    if depth == 0 {
                        place += 1
                        return
                    }
                }
                if depth == 0, peek(",") || [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { return }
                place += 1
            }
        }
    }
}

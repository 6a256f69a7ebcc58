/// One difference from a valid model, in eight bytes of an input. Every eight bytes are an edit.
struct Edit {
    /// The part that is edited.
    enum Kind: UInt8, CaseIterable {
        /// A size of the model; all tensors follow, so that the model stays valid.
        case size
        /// The type of some tensors.
        case weightType
        /// A value of the metadata.
        case metadata
        /// A key that is removed.
        case missingKey
        /// An element of an array of the vocabulary.
        case element
        /// A token, appended to the vocabulary or replacing another.
        case token
        /// A merge rule.
        case merge
        /// The dimensions of one tensor.
        case dimensions
        /// The type of one tensor.
        case tensorType
        /// Bytes of one tensor.
        case data
        /// A tensor that is removed or renamed.
        case missingTensor
        /// The chat template.
        case template
        /// A byte of the file.
        case byte
        /// How the model is used.
        case option
    }

    var kind: Kind
    /// Which one of the edited parts.
    var target: UInt8
    /// Which one of the known values.
    var choice: UInt8
    /// How the value is encoded.
    var form: UInt8
    var number: UInt32

    static let byteCount = 8

    /// The edits of an input; incomplete ones at its end are ignored.
    static func list(_ bytes: UnsafeBufferPointer<UInt8>) -> [Edit] {
        stride(from: 0, to: bytes.count / byteCount * byteCount, by: byteCount).map { start in
            let number = (4..<8).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[start + $1]) }
            return Edit(
                kind: Kind.allCases[Int(bytes[start]) % Kind.allCases.count], target: bytes[start + 1],
                choice: bytes[start + 2], form: bytes[start + 3], number: number)
        }
    }

    /// Writes edits as an input, as many as fit.
    ///
    /// - Returns: The number of bytes.
    static func write(_ edits: [Edit], to output: UnsafeMutablePointer<UInt8>, _ limit: Int) -> Int {
        let bytes = edits.prefix(limit / byteCount).flatMap { edit in
            [edit.kind.rawValue, edit.target, edit.choice, edit.form]
                + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: edit.number >> $0) }
        }
        for (index, byte) in bytes.enumerated() { output[index] = byte }
        return bytes.count
    }
}

extension Collection {
    /// The element chosen by any number, modulo the count.
    func chosen(by number: some BinaryInteger) -> Element {
        self[index(startIndex, offsetBy: Int(truncatingIfNeeded: number) % count)]
    }
}

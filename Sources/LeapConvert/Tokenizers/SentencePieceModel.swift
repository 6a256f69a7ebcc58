import LeapTokenizer

/// `tokenizer.model`: a vocabulary in SentencePiece's protocol buffer.
///
///     1: piece, repeated      1: text, string    2: score, float    3: kind, enumeration
///     2: how it was trained   3: model type
///     3: normaliser           2: map of characters       3: whether a space is put before texts
///                             4: whether all but one of several spaces, and those at the ends, are left out
///
/// Source: google/sentencepiece, `sentencepiece_model.proto`; protobuf.dev, "Encoding".
struct SentencePieceModel {
    struct Piece {
        var text = ""
        var score: Float = 0
        var kind = TokenType.normal
    }

    enum Kind: UInt64 {
        case unigram = 1
        case bytePairs = 2
        case word = 3
        case character = 4
    }

    private(set) var pieces: [Piece] = []
    private(set) var kind = Kind.unigram
    private(set) var addsSpacePrefix = true
    private(set) var removesExtraSpaces = true
    /// The map of characters that is applied before pieces are matched; empty if there is none.
    private(set) var characterMap: [UInt8] = []

    private static let pieceLimit = 1 << 22

    /// - Throws: ``ConversionError`` if it is not such a model.
    init(_ bytes: [UInt8], path: String) throws(ConversionError) {
        let isRead = Self.readFields(bytes[...]) { field in
            switch (field.number, field.value) {
            case (1, .bytes(let piece)):
                guard pieces.count < Self.pieceLimit, let piece = Self.piece(piece) else { return false }
                pieces.append(piece)
            case (2, .bytes(let trainer)):
                return Self.readFields(trainer) { field in
                    if case (3, .integer(let number)) = (field.number, field.value) {
                        kind = Kind(rawValue: number) ?? .unigram
                    }
                    return true
                }
            case (3, .bytes(let normalizer)):
                return Self.readFields(normalizer) { field in
                    switch (field.number, field.value) {
                    case (2, .bytes(let map)): characterMap = Array(map)
                    case (3, .integer(let number)): addsSpacePrefix = number != 0
                    case (4, .integer(let number)): removesExtraSpaces = number != 0
                    default: break
                    }
                    return true
                }
            default: break
            }
            return true
        }
        guard isRead, !pieces.isEmpty else {
            throw .vocabulary(path: path, problem: "is not a SentencePiece model")
        }
    }

    private static func piece(_ bytes: ArraySlice<UInt8>) -> Piece? {
        var piece = Piece()
        var isSound = true
        let isRead = readFields(bytes) { field in
            switch (field.number, field.value) {
            case (1, .bytes(let text)):
                guard let text = String(validating: text, as: UTF8.self) else {
                    isSound = false
                    return false
                }
                piece.text = text
            case (2, .fixed32(let bits)): piece.score = Float(bitPattern: bits)
            case (3, .integer(let number)): piece.kind = kind(number)
            default: break
            }
            return true
        }
        return isRead && isSound && piece.score.isFinite ? piece : nil
    }

    /// The type of a piece. User-defined pieces are merged like normal ones, unless the tokenizer's settings list them.
    private static func kind(_ number: UInt64) -> TokenType {
        switch number {
        case 2: .unknown
        case 3: .control
        case 5: .unused
        case 6: .byte
        default: .normal
        }
    }
}

// MARK: - Protocol buffers

extension SentencePieceModel {
    private struct Field {
        let number: UInt64
        let value: Value
    }

    private enum Value {
        case integer(UInt64)
        case fixed64(UInt64)
        case bytes(ArraySlice<UInt8>)
        case fixed32(UInt32)
    }

    /// Passes the fields of a message to a closure; `false` if the message is malformed or the closure stops.
    private static func readFields(_ bytes: ArraySlice<UInt8>, _ body: (Field) -> Bool) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            guard let tag = variable(&rest), let value = value(of: tag & 7, &rest) else { return false }
            guard body(Field(number: tag >> 3, value: value)) else { return false }
        }
        return true
    }

    private static func value(of wireType: UInt64, _ rest: inout ArraySlice<UInt8>) -> Value? {
        switch wireType {
        case 0: return variable(&rest).map { .integer($0) }
        case 1: return fixed(&rest, count: 8).map { .fixed64($0) }
        case 2:
            guard let count = variable(&rest), count <= UInt64(rest.count) else { return nil }
            defer { rest = rest.dropFirst(Int(count)) }
            return .bytes(rest.prefix(Int(count)))
        case 5: return fixed(&rest, count: 4).map { .fixed32(UInt32(truncatingIfNeeded: $0)) }
        default: return nil
        }
    }

    private static func fixed(_ rest: inout ArraySlice<UInt8>, count: Int) -> UInt64? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A variable-length integer: seven bits per byte, the lowest first.
    private static func variable(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        return nil
    }
}

/// The first bytes of a file whose rest is still to come, or need not be read: what they tell of the file.
///
/// Whoever downloads a file asks it whether the rest is worth having, and whether all of it has come. Bytes that do not
/// suffice for an answer give ``Answer/needsMore``; the caller comes back with some times as many.
package struct GGUFBeginning {
    private let file: FileBytes

    /// What is told, if the bytes suffice.
    package enum Answer<Value: Sendable & Equatable>: Sendable, Equatable {
        case told(Value)
        case needsMore
    }

    /// A beginning.
    ///
    /// - Parameters:
    ///   - bytes: The first bytes of the file, at least one.
    ///   - size: Bytes of the whole file; `nil` where that is not known.
    ///   - name: What errors call the file.
    /// - Throws: ``GGUFError`` where there is no memory.
    package init(_ bytes: [UInt8], of size: Int? = nil, name: String) throws(GGUFError) {
        file = try FileBytes(copying: bytes, of: size ?? .max, name: name)
    }

    /// The value of `general.architecture`; told as `nil` where the file has none, as later shards do.
    ///
    /// Reads no further than to that key, which writers put first: long before the vocabulary.
    /// - Throws: ``GGUFError`` for bytes that are no GGUF file.
    package func architecture() throws(GGUFError) -> Answer<String?> {
        try answer { () throws(GGUFError) -> String? in
            var cursor = ByteCursor(file)
            _ = try Container.readHeader(&cursor)
            var parser = MetadataParser(cursor)
            return try parser.parseString("general.architecture")
        }
    }

    /// Throws where the file ends before its last tensor does.
    ///
    /// - Returns: `told` where it is whole.
    /// - Throws: ``GGUFError``, of which ``GGUFError/isAboutEnd`` tells a file that was cut from one that is broken, or that
    ///   this reader does not know.
    package func checkEnd() throws(GGUFError) -> Answer<Bool> {
        try answer { () throws(GGUFError) -> Bool in
            _ = try Container(file)
            return true
        }
    }

    /// Asks the bytes; what is missing behind them is no error unless they are the whole file.
    private func answer<Value>(_ question: () throws(GGUFError) -> Value) throws(GGUFError) -> Answer<Value> {
        do {
            return .told(try question())
        } catch {
            guard case .format = error, error.isAboutEnd, file.bytes.count < file.size else { throw error }
            return .needsMore
        }
    }
}

extension GGUFError {
    /// Whether the file is shorter than it says itself: it was cut, or has not come as a whole.
    package var isAboutEnd: Bool {
        switch self {
        case .path(_, .empty), .format(_, _, .truncated), .format(_, _, .impossibleCount), .tensor(_, _, .beyondEnd),
            .tensor(_, _, .cutPadding):
            true
        default: false
        }
    }
}

/// Answers questions about a file from its first bytes, while the rest is not downloaded yet or need not be read.
///
/// A downloader asks whether the rest is worth downloading, and whether the file is complete. If the bytes do not
/// suffice for an answer, it is ``Answer/needsMore``; the caller then retries with several times as many bytes.
package struct GGUFBeginning {
    private let file: FileBytes

    /// The contents of the header, if the bytes suffice.
    package enum Answer<Value: Sendable & Equatable>: Sendable, Equatable {
        case value(Value)
        case needsMore
    }

    /// A beginning.
    ///
    /// - Parameters:
    ///   - bytes: The first bytes of the file, at least one.
    ///   - size: Bytes of the whole file; `nil` if that is not known.
    ///   - name: The name of the file in errors.
    /// - Throws: ``GGUFError`` if memory cannot be allocated.
    package init(_ bytes: [UInt8], of size: Int? = nil, name: String) throws(GGUFError) {
        file = try FileBytes(copying: bytes, of: size ?? .max, name: name)
    }

    /// The value of `general.architecture`; `nil` if the file has none, like the later shards of a set.
    ///
    /// Reads no further than that key, which writers put first: long before the vocabulary.
    /// - Throws: ``GGUFError`` for bytes that are not a GGUF file.
    package func architecture() throws(GGUFError) -> Answer<String?> {
        try answer { () throws(GGUFError) -> String? in
            var cursor = ByteCursor(file)
            _ = try Container.readHeader(&cursor)
            var parser = MetadataParser(cursor)
            return try parser.parseString("general.architecture")
        }
    }

    /// Throws if the file ends before its last tensor does.
    ///
    /// - Returns: `value` if it is whole.
    /// - Throws: ``GGUFError``. Its ``GGUFError/isAboutEnd`` distinguishes a truncated file from one that is broken or of an
    ///   unknown version.
    package func checkEnd() throws(GGUFError) -> Answer<Bool> {
        try answer { () throws(GGUFError) -> Bool in
            _ = try Container(file)
            return true
        }
    }

    /// Answers a question. Running out of bytes is an error only if the bytes are the whole file.
    private func answer<Value>(_ question: () throws(GGUFError) -> Value) throws(GGUFError) -> Answer<Value> {
        do {
            return .value(try question())
        } catch {
            guard case .format = error, error.isAboutEnd, file.bytes.count < file.size else { throw error }
            return .needsMore
        }
    }
}

extension GGUFError {
    /// Whether the file is shorter than its header declares: it was truncated, or was not downloaded completely.
    package var isAboutEnd: Bool {
        switch self {
        case .path(_, .empty), .format(_, _, .truncated), .format(_, _, .impossibleCount), .tensor(_, _, .beyondEnd),
            .tensor(_, _, .cutPadding):
            true
        default: false
        }
    }
}

package import LeapGGUF

/// The log-probabilities that a model gives all tokens at the scored places of a text, in llama.cpp's file format.
///
///     "_logits_" | tokens of a window i32 | vocabulary i32 | windows i32 | tokens i32 … | rows …
///     row: scale f32 | smallest f32 | u16 for every token, and one more if their number is odd
///
/// `log p = scale · u16 + smallest`; what is more than 16 below the largest is as small as the smallest. There are rows for the
/// second half of each window but its last token. Source: llama.cpp, `tools/perplexity`.
package struct LogProbabilityFile: Sendable {
    /// Tokens of a window.
    package let contextSize: Int
    /// Tokens of the vocabulary.
    package let vocabularySize: Int
    /// The text: `windows` × `contextSize` tokens.
    package let tokens: [Int32]
    private let path: String
    private let file: MappedFile
    private let rowsStart: Int

    static let magic = Array("_logits_".utf8)
    private static let headerSize = 20

    package var windows: Int { tokens.count / contextSize }

    /// Opens a file.
    ///
    /// - Throws: ``LogProbabilityError``, or ``GGUFError`` if the file cannot be read.
    package init(path: String) throws {
        file = try MappedFile(path: path)
        let bytes = file.bytes
        guard bytes.count >= Self.headerSize, bytes.prefix(8).elementsEqual(Self.magic) else {
            throw LogProbabilityError.file(path, "expected a log-probability file, which begins with '_logits_'")
        }
        func number(_ offset: Int) -> Int {
            Int(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
        }
        let (context, vocabulary, windows) = (number(8), number(12), number(16))
        guard (4...1 << 24).contains(context), (1...1 << 24).contains(vocabulary), (1...1 << 24).contains(windows)
        else {
            throw LogProbabilityError.file(
                path,
                "the header is invalid: \(windows) windows of \(context) tokens with a vocabulary of \(vocabulary)")
        }
        let rowsStart = Self.headerSize + 4 * context * windows
        // In range: each factor is below 2²⁵.
        let rows = windows.multipliedReportingOverflow(by: TextWindow.scoredCount(of: context))
        let size = rows.partialValue.multipliedReportingOverflow(by: Self.rowBytes(vocabulary))
        guard !rows.overflow, !size.overflow, rowsStart <= bytes.count, size.partialValue <= bytes.count - rowsStart
        else {
            throw LogProbabilityError.file(
                path,
                "has \(bytes.count) bytes, fewer than \(windows) windows of \(context) tokens need: it is truncated")
        }
        guard size.partialValue == bytes.count - rowsStart else {
            throw LogProbabilityError.file(
                path,
                "has \(bytes.count) bytes, more than \(windows) windows of \(context) tokens take: it is damaged")
        }
        self.path = path
        contextSize = context
        vocabularySize = vocabulary
        tokens = (0..<context * windows).map { Int32(truncatingIfNeeded: number(Self.headerSize + 4 * $0)) }
        self.rowsStart = rowsStart
        if let bad = tokens.first(where: { $0 < 0 || Int($0) >= vocabulary }) {
            throw LogProbabilityError.file(path, "has token \(bad), but its vocabulary has \(vocabulary) tokens")
        }
        try file.checkUnchanged()
    }

    /// The row of a scored position of a window.
    package func row(_ index: Int, window: Int) -> Row {
        let size = Self.rowBytes(vocabularySize)
        let number = window * TextWindow.scoredCount(of: contextSize) + index
        let start = rowsStart + number * size
        return Row(bytes: UnsafeRawBufferPointer(rebasing: file.bytes[start..<start + size]))
    }

    /// Checks the rows of a window.
    ///
    /// - Throws: ``LogProbabilityError`` if one has numbers that are not logarithms of probabilities: infinite, NaN, or above 0.
    package func check(window: Int) throws(LogProbabilityError) {
        for index in 0..<TextWindow.scoredCount(of: contextSize) where !row(index, window: window).isPossible {
            throw .file(
                path,
                "has log-probabilities that are above 0 or not finite at position \(index) of window \(window): it is damaged"
            )
        }
    }

    /// Throws if the file was changed after it was opened.
    package func checkUnchanged() throws(GGUFError) { try file.checkUnchanged() }

    /// The size of the rows of the given number of windows, in bytes.
    package static func byteCount(windows: Int, contextSize: Int, vocabularySize: Int) -> Int {
        windows * TextWindow.scoredCount(of: contextSize) * rowBytes(vocabularySize)
    }

    static func rowBytes(_ vocabulary: Int) -> Int { 2 * (2 * ((vocabulary + 1) / 2) + 4) }

    /// The log-probabilities of all tokens.
    package struct Row {
        fileprivate let bytes: UnsafeRawBufferPointer

        package subscript(token: Int) -> Float {
            let code = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 + 2 * token, as: UInt16.self))
            return float(0) * Float(code) + float(4)
        }

        /// Whether all are finite and at most 0: the smallest is, and what would be the largest. False for NaN.
        fileprivate var isPossible: Bool {
            let (scale, smallest) = (float(0), float(4))
            return scale >= 0 && smallest.isFinite && scale * Float(UInt16.max) + smallest <= Self.tolerance
        }

        /// What rounding may add to a log-probability of 0: some steps of a `Float` near the smallest, which is about -30.
        private static let tolerance: Float = 1e-3

        private func float(_ offset: Int) -> Float {
            Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        }
    }
}

/// Why a file of log-probabilities cannot be used.
package enum LogProbabilityError: Error, CustomStringConvertible, Hashable {
    case file(String, String)

    package var description: String {
        switch self {
        case .file(let path, let problem): "\(path): \(problem)"
        }
    }
}

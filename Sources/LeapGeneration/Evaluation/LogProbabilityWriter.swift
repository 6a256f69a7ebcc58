package import LeapGGUF

/// Writes the log-probabilities of a text, row by row; see ``LogProbabilityFile``.
package final class LogProbabilityWriter {
    private let file: NewFile
    private let vocabularySize: Int
    private var buffer: [UInt8] = []

    /// Begins a file, which appears under its name when it is complete.
    ///
    /// - Parameter tokens: Those of all windows.
    package init(path: String, contextSize: Int, vocabularySize: Int, tokens: [Int32]) throws(GGUFError) {
        file = try NewFile(path: path)
        self.vocabularySize = vocabularySize
        buffer = LogProbabilityFile.magic
        for number in [contextSize, vocabularySize, tokens.count / max(1, contextSize)] {
            append(Int32(clamping: number))
        }
        for token in tokens { append(token) }
        try flush()
    }

    /// Appends the row of the next scored place.
    package func append(_ row: UnsafeBufferPointer<Float>) throws(GGUFError) {
        let softmax = LogSoftmax(row)
        let smallest = max(softmax.minimum, softmax.maximum - 16)
        let scale = (softmax.maximum - smallest) / 65_535
        append(Int32(bitPattern: scale.bitPattern))
        append(Int32(bitPattern: (smallest - softmax.maximum - Float(softmax.logTotal)).bitPattern))
        let inverse = scale > 0 ? 1 / scale : 0
        for value in row {
            let code = value > smallest ? ((value - smallest) * inverse).rounded(.toNearestOrEven) : 0
            append(UInt16(max(0, min(65_535, code))))
        }
        if !row.count.isMultiple(of: 2) { append(UInt16(0)) }
        try flush()
    }

    /// Brings the file to the disk.
    package func finish() throws(GGUFError) { try file.commit() }

    private func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { buffer.append(contentsOf: $0) }
    }

    private func flush() throws(GGUFError) {
        try buffer.withUnsafeBufferPointer { (bytes) throws(GGUFError) in
            try file.append(UnsafeRawBufferPointer(bytes))
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

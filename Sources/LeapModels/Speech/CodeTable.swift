import LeapOps

/// A table with a row for each code of every book, book after book.
struct CodeTable: Sendable {
    /// `[books · codesPerBook, width]`
    let rows: QuantizedMatrix
    /// Codes of a book.
    let codesPerBook: Int

    init(_ name: String, _ weights: Weights, codesPerBook: Int, width: Int) throws(ModelError) {
        rows = try weights.matrix(name, rows: VocoderConfiguration.books * codesPerBook, columns: width)
        self.codesPerBook = codesPerBook
    }
}

/// The sum of the embeddings of a frame's codes, in memory that is allocated once.
struct CodeSum {
    /// As wide as the table.
    private(set) var row: [Float]
    private var part: [Float]

    init(width: Int) {
        row = [Float](repeating: 0, count: width)
        part = row
    }

    /// Adds up the rows of a frame, whose codes the table has, and multiplies the sum with a factor.
    mutating func set(_ frame: CodeFrame, of table: CodeTable, times factor: Float = 1, _ compute: Compute) {
        row.withUnsafeMutableBufferPointer { row in
            part.withUnsafeMutableBufferPointer { part in
                guard let base = part.baseAddress else { return }
                row.update(repeating: 0)
                for book in 0..<VocoderConfiguration.books {
                    let index = Int32(book * table.codesPerBook) + frame[book]
                    compute.embed(index, from: table.rows, into: base)
                    for element in row.indices { row[element] += part[element] }
                }
                for element in row.indices { row[element] *= factor }
            }
        }
    }
}

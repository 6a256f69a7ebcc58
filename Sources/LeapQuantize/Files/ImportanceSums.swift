import LeapBlocks
package import LeapGGUF

/// Sums of squares of matrix inputs, as stored in files of importance matrices.
///
/// A GGUF file with two tensors for every matrix `NAME`: `NAME.in_sum2`, the sums of squares per column, and
/// `NAME.counts`, the number of rows summed. A tensor of several experts has one row of each per expert. Source:
/// llama.cpp, `tools/imatrix`.
package struct ImportanceSums: Sendable {
    /// The data of one matrix.
    package struct Entry: Sendable {
        /// Σ x², `[matrices, columns]`.
        package var squares: [Double]
        /// Rows, `[matrices]`.
        package var counts: [Double]

        package init(squares: [Double], counts: [Double]) {
            self.squares = squares
            self.counts = counts
        }

        package var columns: Int { squares.count / max(1, counts.count) }

        /// Mean squares; 1 for matrices that no row was multiplied with.
        var means: [Float] {
            squares.indices.map { counts[$0 / columns] > 0 ? Float(squares[$0] / counts[$0 / columns]) : 1 }
        }
    }

    /// By matrix name.
    package var entries: [String: Entry] = [:]
    /// The texts that were read.
    package var datasets: [String] = []
    /// Windows that were read.
    package var chunkCount = 0
    /// Tokens per window.
    package var chunkSize: Int

    /// Empty sums.
    package init(chunkSize: Int) { self.chunkSize = chunkSize }

    static let sumSuffix = ".in_sum2"
    static let countSuffix = ".counts"

    /// Reads a file.
    ///
    /// - Throws: ``QuantizationError`` if it is not an importance matrix, ``GGUFError`` if it is not a GGUF file.
    package init(path: String) throws {
        let content = try GGUFFile(path: path)
        guard (try? content.metadata.string("general.type")) == "imatrix" else {
            throw QuantizationError.importance(
                file: path, problem: "expected an importance matrix, whose general.type is 'imatrix'")
        }
        let names = content.metadata.value("imatrix.datasets")
        if case .array(let array)? = names, let strings = array.strings {
            datasets = array.indices.map { strings[$0] }
        }
        chunkCount = (try? content.metadata.integer("imatrix.chunk_count", in: 0...Self.largestCount)) ?? 0
        chunkSize = (try? content.metadata.integer("imatrix.chunk_size", in: 1...Self.largestCount)) ?? 512
        for sums in content.tensors where sums.name.hasSuffix(Self.sumSuffix) {
            let name = String(sums.name.dropLast(Self.sumSuffix.count))
            entries[name] = try Self.entry(name, sums, content)
        }
    }

    private static func entry(_ name: String, _ sums: GGUFTensor, _ content: GGUFFile) throws -> Entry {
        guard let counts = content.tensor(named: name + countSuffix), sums.type == .F32, counts.type == .F32,
            sums.elementCount.isMultiple(of: counts.elementCount)
        else {
            throw QuantizationError.importance(
                file: content.path,
                problem: "expected \(name)\(countSuffix) of type F32 for \(sums.name), with one number for each matrix")
        }
        let entry = Entry(squares: floats(sums), counts: floats(counts))
        if let bad = entry.counts.firstIndex(where: { !($0 >= 0) || !$0.isFinite }) {
            throw QuantizationError.importance(
                file: content.path,
                problem: "\(counts.name): expected numbers of rows, found \(entry.counts[bad]) for matrix \(bad)")
        }
        let means = entry.means
        guard let bad = means.firstIndex(where: { !($0 >= 0) || !$0.isFinite }) else { return entry }
        throw QuantizationError.importance(
            file: content.path,
            problem: "\(sums.name): expected sums of squares, found \(means[bad]) for column \(bad % entry.columns)")
    }

    private static func floats(_ tensor: GGUFTensor) -> [Double] {
        let bytes = tensor.bytes
        return (0..<tensor.elementCount).map {
            let bits = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self))
            return Double(Float(bitPattern: bits))
        }
    }

    /// Fits the data to a model's tensors: files that llama-imatrix has converted from its earlier format have one row of sums
    /// and one count for all experts of a tensor.
    ///
    /// - Throws: ``QuantizationError`` if a matrix has another shape here.
    package mutating func fit(_ tensors: [GGUFTensor], from path: String) throws(QuantizationError) {
        for tensor in tensors {
            guard let entry = entries[tensor.name] else { continue }
            let columns = tensor.dimensions[0]
            if entry.counts.count == 1, entry.columns == tensor.matrixCount * columns {
                entries[tensor.name]?.counts = Array(repeating: entry.counts[0], count: tensor.matrixCount)
            } else if entry.counts.count != tensor.matrixCount || entry.columns != columns {
                throw .importance(
                    file: path, ofAnotherModel: tensor, matrices: entry.counts.count, columns: entry.columns)
            }
        }
    }

    /// Adds the sums of another file.
    ///
    /// - Throws: ``QuantizationError`` if a matrix has another shape there.
    package mutating func merge(_ other: ImportanceSums, from path: String) throws(QuantizationError) {
        for (name, entry) in other.entries {
            guard var sum = entries[name] else {
                entries[name] = entry
                continue
            }
            guard sum.squares.count == entry.squares.count, sum.counts.count == entry.counts.count else {
                throw .importance(file: path, problem: "\(name) has a different shape than in the previous files")
            }
            for index in sum.squares.indices { sum.squares[index] += entry.squares[index] }
            for index in sum.counts.indices { sum.counts[index] += entry.counts[index] }
            entries[name] = sum
        }
        datasets += other.datasets
        chunkCount += other.chunkCount
    }

    /// The largest 32-bit number of windows, and window size, in a file: sums of these are far from overflowing.
    private static let largestCount = Int(UInt32.max)

    /// Writes the file; it appears under its name when it is complete.
    package func write(to path: String) throws {
        var writer = GGUFWriter()
        writer.set("general.type", .string("imatrix"))
        writer.set("imatrix.datasets", strings: datasets)
        writer.set("imatrix.chunk_count", .uint32(UInt32(clamping: chunkCount)))
        writer.set("imatrix.chunk_size", .uint32(UInt32(clamping: chunkSize)))
        let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (name, entry) in sorted {
            try writer.addTensor(name + Self.sumSuffix, type: .F32, dimensions: [entry.columns, entry.counts.count])
            try writer.addTensor(name + Self.countSuffix, type: .F32, dimensions: [1, entry.counts.count])
        }
        try writer.write(to: path) { output in
            for (_, entry) in sorted {
                try output.append(entry.squares.map { Float($0).bitPattern.littleEndian })
                try output.append(entry.counts.map { Float($0).bitPattern.littleEndian })
            }
        }
    }
}

extension GGUFTensor {
    /// How many matrices the tensor holds: one, or one per expert.
    var matrixCount: Int { dimensions.dropFirst(2).reduce(1, *) }
}

extension QuantizationError {
    /// The error for a file whose data for a tensor have another shape.
    ///
    /// - Parameters:
    ///   - matrices: How many matrices the file has data for.
    ///   - columns: Columns of each.
    static func importance(
        file: String, ofAnotherModel tensor: GGUFTensor, matrices: Int, columns: Int
    ) -> QuantizationError {
        func shape(_ matrices: Int, _ columns: Int) -> String {
            "\(matrices) \(matrices == 1 ? "matrix" : "matrices") of \(columns) \(columns == 1 ? "column" : "columns")"
        }
        return .importance(
            file: file,
            problem: """
                belongs to another model: \(tensor.name) has \(shape(tensor.matrixCount, tensor.dimensions[0])), but the file \
                has values for \(shape(matrices, columns))
                """)
    }
}

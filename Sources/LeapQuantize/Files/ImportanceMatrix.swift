import LeapBlocks
import LeapGGUF

/// How important the columns of matrices are: mean squares of their inputs, as `llama-imatrix` and `leap imatrix` write
/// them.
///
/// See ``ImportanceSums`` for the format.
package struct ImportanceMatrix: Sendable {
    private let file: String
    private let datasets: String
    private let chunks: Int
    /// Mean squares, by matrix name.
    private var means: [String: [Float]] = [:]
    /// How many matrices a tensor has data for, by name.
    private var matrixCounts: [String: Int] = [:]

    /// The names of the matrices that have data.
    package var names: [String] { means.keys.sorted() }

    /// Reads a file.
    ///
    /// - Throws: ``QuantizationError`` if it is not an importance matrix, ``GGUFError`` if it is not a GGUF file.
    package init(path: String) throws {
        let sums = try ImportanceSums(path: path)
        file = path
        datasets = sums.datasets.joined(separator: ", ")
        chunks = sums.chunkCount
        means = sums.entries.mapValues(\.means)
        matrixCounts = sums.entries.mapValues(\.counts.count)
    }

    /// Checks the data against the shapes of all tensors of a plan.
    ///
    /// - Throws: ``QuantizationError`` if the data belong to a matrix of another shape.
    package func check(_ plan: QuantizationPlan) throws(QuantizationError) {
        for conversion in plan.conversions {
            let tensor = conversion.tensor
            guard let count = means[tensor.name]?.count, let matrices = matrixCounts[tensor.name] else { continue }
            // One row may be for all matrices of a tensor, and one count for the rows of all.
            let columns = tensor.dimensions[0]
            guard count == tensor.matrixCount * columns || count == columns,
                matrices == 1 || count == matrices * columns
            else {
                throw .importance(
                    file: file, ofAnotherModel: tensor, matrices: matrices, columns: count / max(1, matrices))
            }
        }
    }

    /// The weights of a tensor's squared quantisation errors: one row of mean 1 per matrix; `nil` if the file does not
    /// have the tensor. The shape has been checked.
    func weights(of tensor: GGUFTensor) -> [Float]? {
        guard let means = means[tensor.name] else { return nil }
        let columns = tensor.dimensions[0]
        return stride(from: 0, to: means.count, by: columns).flatMap { Self.normalized(means[$0..<$0 + columns]) }
    }

    /// Normalised to a mean of 1. A column that was never used gets a small weight, so that a block of only such
    /// columns still gets the nearest codes.
    private static func normalized(_ means: ArraySlice<Float>) -> [Float] {
        let mean = means.reduce(0) { $0 + Double($1) } / Double(means.count)
        guard mean > 0 else { return means.map { _ in 1 } }
        return means.map { max(Float(Double($0) / mean), 1e-6) }
    }

    /// Records the importance matrix in the metadata of a quantised file, under llama-quantize's keys.
    func describe(in writer: inout GGUFWriter) {
        writer.set("quantize.imatrix.file", .string(file))
        writer.set("quantize.imatrix.dataset", .string(datasets))
        writer.set("quantize.imatrix.entries_count", .uint32(UInt32(clamping: means.count)))
        writer.set("quantize.imatrix.chunks_count", .uint32(UInt32(clamping: chunks)))
    }
}

import LeapBlocks
import LeapGGUF

/// How much the columns of matrices matter: mean squares of their inputs, as `llama-imatrix` and `leap imatrix` write them.
///
/// See ``ImportanceSums`` for the format.
package struct ImportanceMatrix: Sendable {
    private let file: String
    private let datasets: String
    private let chunks: Int
    /// Mean squares, by the names of matrices.
    private var means: [String: [Float]] = [:]

    /// The names of the matrices of which something is known.
    package var names: [String] { means.keys.sorted() }

    /// Reads a file.
    ///
    /// - Throws: ``QuantizationError`` for what is no importance matrix, ``GGUFError`` for what is no GGUF file.
    package init(path: String) throws {
        let sums = try ImportanceSums(path: path)
        file = path
        datasets = sums.datasets.joined(separator: ", ")
        chunks = sums.chunkCount
        means = sums.entries.mapValues(\.means)
    }

    /// Looks at the shapes of all tensors of a plan.
    ///
    /// - Throws: ``QuantizationError`` where the numbers are of a matrix of another shape.
    package func check(_ plan: QuantizationPlan) throws(QuantizationError) {
        for conversion in plan.conversions {
            let tensor = conversion.tensor
            guard let count = means[tensor.name]?.count, count != tensor.dimensions[0] else { continue }
            guard count == tensor.dimensions[0] * tensor.matrixCount else {
                throw .importance(file: file, ofAnotherModel: tensor, numbers: count)
            }
        }
    }

    /// The weights of a tensor's quantisation errors: a row of mean 1 for each of its matrices; `nil` if the file does
    /// not have the tensor. Its shape was looked at.
    func weights(of tensor: GGUFTensor) -> [Float]? {
        guard let means = means[tensor.name] else { return nil }
        let columns = tensor.dimensions[0]
        return stride(from: 0, to: means.count, by: columns).flatMap { Self.normalized(means[$0..<$0 + columns]) }
    }

    /// With a mean of 1. A column that was never used counts a little, so that the codes of a block without any other are
    /// still the nearest.
    private static func normalized(_ means: ArraySlice<Float>) -> [Float] {
        let mean = means.reduce(0) { $0 + Double($1) } / Double(means.count)
        guard mean > 0 else { return means.map { _ in 1 } }
        return means.map { max(Float(Double($0) / mean), 1e-6) }
    }

    /// Says in a quantised file what it was made with, by llama-quantize's keys.
    func describe(in writer: inout GGUFWriter) {
        writer.set("quantize.imatrix.file", .string(file))
        writer.set("quantize.imatrix.dataset", .string(datasets))
        writer.set("quantize.imatrix.entries_count", .uint32(UInt32(clamping: means.count)))
        writer.set("quantize.imatrix.chunks_count", .uint32(UInt32(clamping: chunks)))
    }
}

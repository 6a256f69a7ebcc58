import LeapBlocks
import LeapGGUF

/// How much the columns of matrices matter: mean squares of their inputs, as `llama-imatrix` and `leap imatrix` write them.
///
/// A GGUF file with two tensors for every matrix `NAME`: `NAME.in_sum2`, sums of squares for every column, and
/// `NAME.counts`, how many rows were summed up. A tensor of several experts has a row of both for each.
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
        let content = try GGUFFile(path: path)
        file = path
        guard (try? content.metadata.string("general.type")) == "imatrix" else {
            throw QuantizationError.importance(
                file: path, problem: "expected an importance matrix, whose general.type is 'imatrix'")
        }
        let names = content.metadata.value("imatrix.datasets")
        if case .array(let array)? = names, let strings = array.strings {
            datasets = array.indices.map { strings[$0] }.joined(separator: ", ")
        } else {
            datasets = ""
        }
        chunks = (try? content.metadata.integer("imatrix.chunk_count", in: 0...Int.max)) ?? 0
        for sums in content.tensors where sums.name.hasSuffix(Self.sumSuffix) {
            let name = String(sums.name.dropLast(Self.sumSuffix.count))
            means[name] = try Self.means(name, sums, content)
        }
    }

    static let sumSuffix = ".in_sum2"
    static let countSuffix = ".counts"

    private static func means(_ name: String, _ sums: GGUFTensor, _ content: GGUFFile) throws -> [Float] {
        guard let counts = content.tensor(named: name + countSuffix), sums.type == .F32, counts.type == .F32,
            sums.elementCount.isMultiple(of: counts.elementCount)
        else {
            throw QuantizationError.importance(
                file: content.path,
                problem: "expected \(name)\(countSuffix) of type F32 beside \(sums.name), a number for every matrix")
        }
        let columns = sums.elementCount / counts.elementCount
        let (values, totals) = (floats(sums), floats(counts))
        let means = values.indices.map { totals[$0 / columns] > 0 ? values[$0] / totals[$0 / columns] : 1 }
        guard let bad = means.firstIndex(where: { !($0 >= 0) || !$0.isFinite }) else { return means }
        throw QuantizationError.importance(
            file: content.path,
            problem: "\(sums.name): expected sums of squares, found \(values[bad]) for column \(bad % columns)")
    }

    private static func floats(_ tensor: GGUFTensor) -> [Float] {
        let bytes = tensor.bytes
        return (0..<tensor.elementCount).map {
            Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
        }
    }

    /// The weights of a tensor's errors: a row for every matrix of it, of mean 1; `nil` where nothing is known of it.
    ///
    /// - Throws: ``QuantizationError`` where the numbers are of a matrix of another shape.
    func weights(of tensor: GGUFTensor) throws(QuantizationError) -> [Float]? {
        guard let means = means[tensor.name] else { return nil }
        let columns = tensor.dimensions[0]
        let matrices = tensor.dimensions.dropFirst(2).reduce(1, *)
        guard means.count == columns || means.count == columns * matrices else {
            throw .importance(
                file: file,
                problem: """
                    is of another model: \(tensor.name) has \(matrices) matrices of \(columns) columns, but the file has \
                    \(means.count) numbers for it
                    """)
        }
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

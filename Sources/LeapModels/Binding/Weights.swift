import LeapBlocks
import LeapGGUF
import LeapOps

/// The tensors of a file, bound by name and checked against the shape that the hyper-parameters demand.
///
/// Matrices and vectors are plain pointers into memory that this value owns: the mapped file, and a copy of the small
/// tensors. A model keeps both as long as its layers.
public struct Weights: Sendable {
    let file: GGUFFile
    let architecture: String
    /// What changes the projections; `nil` if nothing does.
    let adapters: AdapterSet?

    private let vectors = FloatVectorStorage()
    private let bound = BoundNames()

    init(file: GGUFFile, architecture: String, adapters: AdapterSet? = nil) {
        self.file = file
        self.architecture = architecture
        self.adapters = adapters
    }

    /// Whether the file has a tensor.
    func has(_ name: String) -> Bool { file.tensor(named: name) != nil }

    /// The tensors that have not been bound so far, in the order of the file.
    var unbound: [GGUFTensor] { file.tensors.filter { !bound.names.contains($0.name) } }

    /// A matrix that stays in the file, `[rows, columns]`.
    ///
    /// - Parameter dimensions: Those of the tensor, if they are not `columns` and `rows`.
    func matrix(
        _ name: String, rows: Int, columns: Int, dimensions: [Int]? = nil
    ) throws(ModelError) -> QuantizedMatrix {
        let dimensions = dimensions ?? [columns, rows]
        let tensor = try tensor(name, dimensions: dimensions)
        guard let matrix = QuantizedMatrix(type: tensor.type, rows: rows, columns: columns, bytes: tensor.bytes)
        else { throw .wrongShape(tensor: name, expected: dimensions, found: tensor.dimensions) }
        return matrix
    }

    /// A vector of `count` values, converted to floats.
    func vector(_ name: String, count: Int) throws(ModelError) -> FloatVector {
        try floats(name, dimensions: [count])
    }

    /// A vector that a file may lack.
    func vectorIfPresent(_ name: String, count: Int) throws(ModelError) -> FloatVector? {
        has(name) ? try vector(name, count: count) : nil
    }

    /// The values of a vector that a file may lack; none if it does.
    func valuesIfPresent(_ name: String, count: Int) throws(ModelError) -> [Float] {
        guard let vector = try vectorIfPresent(name, count: count) else { return [] }
        return [Float](UnsafeBufferPointer(start: vector.base, count: vector.count))
    }

    /// `NAME.weight`, `[rows, columns]`, and `NAME.bias` if the file has it; and what adapters change.
    func projection(_ name: String, rows: Int, columns: Int) throws(ModelError) -> Projection {
        Projection(
            try matrix("\(name).weight", rows: rows, columns: columns),
            bias: try vectorIfPresent("\(name).bias", count: rows),
            changes: try adapters?.changes(of: "\(name).weight", rows: rows, columns: columns))
    }

    /// `NAME.weight`, `[count, rows, columns]`, and what adapters change.
    func expertProjection(
        _ name: String, count: Int, rows: Int, columns: Int, bias: FloatVector? = nil
    ) throws(ModelError) -> ExpertProjection {
        let (name, dimensions) = ("\(name).weight", [columns, rows, count])
        let joint = try matrix(name, rows: count * rows, columns: columns, dimensions: dimensions)
        guard let matrices = ExpertMatrices(joint, count: count) else {
            throw .wrongShape(tensor: name, expected: dimensions, found: try self.dimensions(of: name))
        }
        return ExpertProjection(
            weights: matrices, bias: bias,
            changes: try adapters?.changes(ofExperts: name, count: count, rows: rows, columns: columns))
    }

    /// `NAME.weight` and `NAME.bias`, which must both be there.
    func biasedProjection(_ name: String, rows: Int, columns: Int) throws(ModelError) -> Projection {
        Projection(
            try matrix("\(name).weight", rows: rows, columns: columns),
            bias: try vector("\(name).bias", count: rows))
    }

    /// `NAME.weight` and `NAME.bias` of a layer norm.
    func layerNorm(_ name: String, count: Int, epsilon: Float) throws(ModelError) -> LayerNorm {
        LayerNorm(
            gains: try vector("\(name).weight", count: count), biases: try vector("\(name).bias", count: count),
            epsilon: epsilon)
    }

    /// A layer norm of an encoder's residual stream.
    func layerNorm(_ name: String, _ configuration: VisionConfiguration) throws(ModelError) -> LayerNorm {
        try layerNorm(name, count: configuration.embeddingLength, epsilon: configuration.normEpsilon)
    }

    /// The dimensions of a tensor, in ggml's order.
    func dimensions(of name: String) throws(ModelError) -> [Int] {
        guard let tensor = file.tensor(named: name) else {
            throw .missingTensor(name: name, architecture: architecture)
        }
        return tensor.dimensions
    }

    /// The number of rows of a matrix for which there is no metadata key.
    func rows(of name: String) throws(ModelError) -> Int {
        let dimensions = try dimensions(of: name)
        guard dimensions.count == 2, (1...1 << 20).contains(dimensions[1]) else {
            throw .contradiction("\(name) has shape \(dimensions), but must be a matrix")
        }
        return dimensions[1]
    }

    /// The length of a vector for which there is no metadata key.
    func length(of name: String, in range: ClosedRange<Int>) throws(ModelError) -> Int {
        let dimensions = try dimensions(of: name)
        guard dimensions.dropFirst().allSatisfy({ $0 == 1 }), let length = dimensions.first, range.contains(length)
        else {
            throw .contradiction(
                "\(name) has shape \(dimensions), but must be a vector of \(range.lowerBound) to \(range.upperBound)")
        }
        return length
    }

    /// A small tensor of the given dimensions (ggml's order), converted to floats.
    ///
    /// One NaN in a norm makes all activations NaN, and quantising these turns them into arbitrary finite numbers, so
    /// the model would silently generate nonsense. Therefore values that are not finite are refused here.
    func floats(_ name: String, dimensions: [Int]) throws(ModelError) -> FloatVector {
        let tensor = try tensor(name, dimensions: dimensions)
        let vector = vectors.vector(count: tensor.elementCount) {
            dequantize(tensor.bytes, of: tensor.type, into: $0)
        }
        let values = UnsafeBufferPointer(start: vector.base, count: vector.count)
        if let index = values.firstIndex(where: { !$0.isFinite }) {
            throw .notFinite(tensor: name, index: index, value: values[index])
        }
        return vector
    }

    /// A vector of equal values.
    func repeating(_ value: Float, count: Int) -> FloatVector {
        vectors.vector(count: count) { $0.update(repeating: value, count: count) }
    }

    /// A vector times a factor.
    func scaled(_ vector: FloatVector, by factor: Float) -> FloatVector {
        vectors.vector(count: vector.count) { target in
            for index in 0..<vector.count { target[index] = vector.base[index] * factor }
        }
    }

    /// Rows, each with a row of the same width added.
    func sum(_ rows: FloatVector, _ row: FloatVector) -> FloatVector {
        vectors.vector(count: rows.count) { target in
            for index in 0..<rows.count { target[index] = row.base[index % row.count] + rows.base[index] }
        }
    }

    /// Rows, each times a row of the same width, element by element.
    func product(_ rows: FloatVector, _ row: FloatVector) -> FloatVector {
        vectors.vector(count: rows.count) { target in
            for index in 0..<rows.count { target[index] = row.base[index % row.count] * rows.base[index] }
        }
    }

    /// A vector that some files hold with dimensions of 1 in front.
    func channelVector(_ name: String, count: Int) throws(ModelError) -> FloatVector {
        let dimensions = try dimensions(of: name)
        guard dimensions.filter({ $0 != 1 }) == [count].filter({ $0 != 1 }) else {
            throw .wrongShape(tensor: name, expected: [count], found: dimensions)
        }
        return try floats(name, dimensions: dimensions)
    }

    /// A small matrix, `[rows, columns]`, as floats: `[columns, rows]`.
    ///
    /// - Parameter dimensions: Those of the tensor, if they are not `columns` and `rows`.
    func transposed(
        _ name: String, rows: Int, columns: Int, dimensions: [Int]? = nil
    ) throws(ModelError) -> FloatVector {
        let matrix = try floats(name, dimensions: dimensions ?? [columns, rows])
        return vectors.vector(count: matrix.count) { target in
            for row in 0..<rows {
                for column in 0..<columns { target[column * rows + row] = matrix.base[row * columns + column] }
            }
        }
    }

    private func tensor(_ name: String, dimensions: [Int]) throws(ModelError) -> GGUFTensor {
        guard let tensor = file.tensor(named: name) else {
            throw .missingTensor(name: name, architecture: architecture)
        }
        // Trailing dimensions of 1 say nothing.
        guard tensor.dimensions.trimmed == dimensions.trimmed else {
            throw .wrongShape(tensor: name, expected: dimensions, found: tensor.dimensions)
        }
        guard tensor.type.isSupportedWeight else {
            throw .unsupportedType(
                tensor: name, type: tensor.type, supported: GGMLType.allCases.filter(\.isSupportedWeight))
        }
        bound.names.insert(name)
        return tensor
    }
}

/// The names of the tensors that something was made of.
private final class BoundNames: @unchecked Sendable {
    // `@unchecked`: grows only while one thread binds a model.

    var names: Set<String> = []
}

extension [Int] {
    /// Without the ones at the end.
    fileprivate var trimmed: ArraySlice<Int> {
        var end = count
        while end > 1, self[end - 1] == 1 { end -= 1 }
        return prefix(end)
    }
}

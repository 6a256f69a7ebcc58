public import LeapBlocks

/// One operation of a forward pass that a ``Profiler`` has timed.
public struct Operation: Sendable {
    /// What an operation computes.
    public enum Kind: String, Sendable, CaseIterable {
        /// Embedding rows of tokens.
        case embedding = "embedding"
        /// Quantising rows of activations, and packing them into tiles.
        case quantization = "quantise"
        /// A product with a weight matrix.
        case product = "product"
        /// Choosing experts for rows, sorting rows by experts, and adding up the experts' outputs.
        case routing = "experts"
        /// RMS norms of rows or heads.
        case norm = "norm"
        /// Computing rotary angles, and rotating queries and keys by them.
        case rotation = "rope"
        /// Writing keys and values to the cache.
        case store = "store kv"
        /// Attention over the cache.
        case attention = "attention"
        /// The gated short convolution.
        case convolution = "convolution"
        /// The gated delta rule, with its convolution.
        case deltaRule = "delta rule"
        /// A state space, with its convolution.
        case stateSpace = "state space"
        /// Gated linear units: activation(gate) · up.
        case gating = "glu"
        /// Residual connections, biases, and bounds on logits.
        case addition = "add"
    }

    /// A matrix of a ``Kind/product``.
    public struct Matrix: Sendable, Hashable {
        /// The address of the first row, by which a tool identifies the tensor.
        public let address: UInt
        /// The type of the elements.
        public let type: GGMLType
        /// Outputs.
        public let rows: Int
        /// Inputs.
        public let columns: Int

        /// A matrix.
        public init(address: UInt, type: GGMLType, rows: Int, columns: Int) {
            self.address = address
            self.type = type
            self.rows = rows
            self.columns = columns
        }
    }

    /// What was computed.
    public let kind: Kind
    /// The matrix of a product, or several that were multiplied in one pass; none for other kinds.
    public let matrices: [Matrix]
    /// Rows of activations.
    public let rows: Int
    /// Bytes that the operation must read or write at least once: weights, keys and values, or activations.
    public let bytes: Int
    /// Products of two numbers that are added up.
    public let multiplyAdds: Int
    /// The operation's own time, without that of operations inside it.
    public internal(set) var nanoseconds: UInt64 = 0
    /// The time that all threads together waited for each other meanwhile.
    public internal(set) var waitNanoseconds: UInt64 = 0

    /// An operation that has not been timed yet.
    public init(_ kind: Kind, rows: Int, bytes: Int, multiplyAdds: Int = 0, matrices: [Matrix] = []) {
        self.kind = kind
        self.rows = rows
        self.bytes = bytes
        self.multiplyAdds = multiplyAdds
        self.matrices = matrices
    }
}

extension Operation {
    /// An operation on every element of `rows`, which reads and writes `streams` matrices of their size.
    public static func pointwise(_ kind: Kind, _ rows: Rows, streams: Int) -> Operation {
        Operation(
            kind, rows: rows.count, bytes: streams * rows.count * rows.width * MemoryLayout<Float>.stride)
    }

    /// The update of recurrent matrices by rows of some sequences, each of whose memories is read and written.
    ///
    /// - Parameter learned: `[n, valueWidth]`.
    public static func recurrence(_ learned: Rows, _ shape: RecurrentShape, sequences: Int) -> Operation {
        let rowBytes = 2 * (shape.channels + shape.valueWidth) * MemoryLayout<Float>.stride
        let products = shape.rule == .delta ? 3 : 2
        return Operation(
            shape.rule == .delta ? .deltaRule : .stateSpace, rows: learned.count,
            bytes: 2 * sequences * shape.byteCount + learned.count * rowBytes,
            multiplyAdds: learned.count
                * (products * shape.valueWidth * shape.keyDimension + shape.taps * shape.channels))
    }

    /// The products of `rows` rows with matrices.
    static func product(_ matrices: QuantizedMatrix..., rows: Int) -> Operation {
        Operation(
            .product, rows: rows, bytes: matrices.reduce(0) { $0 + $1.rows * $1.rowBytes },
            multiplyAdds: matrices.reduce(0) { $0 + rows * $1.rows * $1.columns },
            matrices: matrices.map {
                Matrix(address: UInt(bitPattern: $0.base), type: $0.type, rows: $0.rows, columns: $0.columns)
            })
    }

    /// The products of rows with the matrices of their experts.
    static func product(_ matrices: ExpertMatrices..., groups: ExpertGroups) -> Operation {
        Operation(
            .product, rows: groups.slotCount, bytes: matrices.reduce(0) { $0 + groups.count * $1.byteCount },
            multiplyAdds: matrices.reduce(0) { $0 + groups.slotCount * $1.rows * $1.joint.columns },
            matrices: matrices.map {
                Matrix(
                    address: UInt(bitPattern: $0.joint.base), type: $0.joint.type, rows: $0.rows,
                    columns: $0.joint.columns)
            })
    }

    /// Causal attention of rows over their caches: every run of consecutive rows reads all positions of its windows up
    /// to its last row's position.
    static func attention(
        _ query: Rows, _ rule: AttentionRule, over caches: UnsafePointer<KeyValueView>, positions: UnsafePointer<Int>
    ) -> Operation {
        guard query.count > 0 else { return Operation(.attention, rows: 0, bytes: 0) }
        let shape = caches[0].shape
        let window = rule.window ?? .max
        var (seen, read, first) = (0, 0, 0)
        for row in 0..<query.count {
            let end = positions[row] + 1
            seen += min(end, window)
            guard row + 1 == query.count || positions[row + 1] != end else { continue }
            read += min(end, window) + (row - first)
            first = row + 1
        }
        return Operation(
            .attention, rows: query.count, bytes: read * shape.blockBytes / KeyValueBlock.positions,
            multiplyAdds: 2 * seen * query.width)
    }
}

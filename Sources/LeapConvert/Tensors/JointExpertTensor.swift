/// A tensor of all experts of a layer with interleaved rows of gate and up projections, as gpt-oss stores them.
struct JointExpertTensor: Hashable {
    /// The kind of matrix.
    enum Matrix: String, Hashable, CaseIterable {
        case gatesAndUps = "gate_up_proj"
        case downs = "down_proj"

        /// The written tensors.
        var outputs: [Output] {
            switch self {
            case .gatesAndUps:
                [
                    Output(stem: "ffn_gate_exps", rows: .alternate(isSecond: false)),
                    Output(stem: "ffn_up_exps", rows: .alternate(isSecond: true)),
                ]
            case .downs: [Output(stem: "ffn_down_exps", rows: .same)]
            }
        }
    }

    enum Kind: String, Hashable, CaseIterable {
        /// Plain floats, stored transposed.
        case weights = ""
        case biases = "_bias"
        /// MXFP4.
        case codes = "_blocks"
        case scales = "_scales"
    }

    /// A written tensor.
    struct Output {
        let stem: String
        let rows: RowOrder

        func name(_ layer: Int, _ suffix: String) -> String { "blk.\(layer).\(stem)\(suffix)" }
    }

    let matrix: Matrix
    let kind: Kind

    init(matrix: Matrix, kind: Kind) {
        self.matrix = matrix
        self.kind = kind
    }

    /// - Parameter name: The part after the prefix of a layer's experts: `gate_up_proj_bias`.
    init?(_ name: some StringProtocol) {
        for matrix in Matrix.allCases where name.hasPrefix(matrix.rawValue) {
            guard let kind = Kind(rawValue: String(name.dropFirst(matrix.rawValue.count))) else { return nil }
            self.init(matrix: matrix, kind: kind)
            return
        }
        return nil
    }

    /// The shape of each output: half of the rows if there are two.
    func written(_ shape: [Int], of tensor: StoredTensor, dimensions: Int) throws(ConversionError) -> [Int] {
        let count = matrix.outputs.count
        guard shape.count == dimensions, shape[1].isMultiple(of: count) else { throw wrongShape(tensor) }
        var written = shape
        written[1] /= count
        return written
    }

    func wrongShape(_ tensor: StoredTensor) -> ConversionError {
        .tensor(
            name: tensor.name,
            problem: "has shape \(tensor.shape), which is not valid for \(matrix.rawValue)\(kind.rawValue)"
        )
    }
}

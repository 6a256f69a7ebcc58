import LeapBlocks

/// The tensors of a GGUF file, and the stored tensors from which they are made.
struct TensorPlan {
    private let recipe: ArchitectureRecipe
    private let configuration: Configuration
    private let outputType: GGMLType
    private(set) var conversions: [TensorConversion] = []
    /// Matrices of experts by stack, then by number.
    private var stacks: [String: [Int: StoredTensor]] = [:]
    private var stackOrder: [String] = []
    /// Codes and scales of experts, by layer and matrix.
    private var quantized: [JointExpertTensor.Matrix: [Int: QuantizedExperts]] = [:]
    private var layersSeen: Set<Int> = []

    init(
        _ tensors: [StoredTensor], _ dense: DenseModules, _ recipe: ArchitectureRecipe,
        _ configuration: Configuration, outputType: GGMLType
    ) throws(ConversionError) {
        self.recipe = recipe
        self.configuration = configuration
        self.outputType = outputType
        for tensor in try recipe.extraTensors(configuration) {
            conversions.append(
                TensorConversion(
                    name: tensor.name, type: .F32, dimensions: [tensor.numbers.count],
                    content: .numbers(tensor.numbers),
                    arrangement: Arrangement()))
        }
        for (name, tensor) in dense.tensors { try add(name, tensor, Arrangement()) }
        let names = TensorNames(recipe)
        for tensor in tensors { try add(tensor, at: try names.place(of: tensor.name)) }
        for name in stackOrder { try finishStack(name) }
        for (matrix, layers) in quantized.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for (layer, experts) in layers.sorted(by: { $0.key < $1.key }) { try finish(experts, matrix, layer) }
        }
        try checkWholeness()
    }

    private mutating func add(_ tensor: StoredTensor, at place: TensorNames.Place) throws(ConversionError) {
        switch place {
        case .ignored: return
        case .single(let name, let layer):
            try see(layer, tensor)
            try add(name, tensor, try arrangement(of: name, tensor))
        case .expert(let stack, let number, let layer):
            try see(layer, tensor)
            if stacks[stack] == nil { stackOrder.append(stack) }
            guard stacks[stack, default: [:]].updateValue(tensor, forKey: number) == nil else {
                throw .tensor(name: tensor.name, problem: "occurs twice")
            }
        case .joint(let part, let layer):
            try see(layer, tensor)
            try add(part, tensor, layer)
        case .halves(let names, let layer):
            try see(layer, tensor)
            try addHalves(names, tensor)
        }
    }

    /// Adds gate rows followed by as many rows of the up projection: in one matrix, or in every expert's.
    private mutating func addHalves(_ names: GatesAndUps, _ tensor: StoredTensor) throws(ConversionError) {
        let shape = tensor.shape
        guard (2...3).contains(shape.count), shape[shape.count - 2].isMultiple(of: 2) else {
            throw .tensor(
                name: tensor.name, problem: "has shape \(shape), but an equal number of gate and up rows is expected")
        }
        let rows = shape[shape.count - 2]
        var written = shape
        written[shape.count - 2] = rows / 2
        for (name, isSecond) in [(names.gates, false), (names.ups, true)] {
            let order = RowOrder.half(matrixRows: rows, isSecond: isSecond)
            try add(name, tensor, Arrangement(rows: order, shape: written))
        }
    }

    private mutating func see(_ layer: Int?, _ tensor: StoredTensor) throws(ConversionError) {
        guard let layer else { return }
        let count = try configuration.layers
        guard layer < count else {
            throw .tensor(
                name: tensor.name, problem: "belongs to layer \(layer), but the model has only \(count) layers")
        }
        layersSeen.insert(layer)
    }

    /// The arrangement that the recipe specifies for a tensor, plus what all recipes have in common.
    private func arrangement(of name: String, _ tensor: StoredTensor) throws(ConversionError) -> Arrangement {
        var arrangement = try recipe.arrange(name, tensor, configuration)
        if recipe.pairsNeighbours { arrangement.rows = try pairOrder(of: name, tensor) }
        // The norm within a recurrent layer gets no constant added at run time.
        if recipe.normAddend != 0, name.hasSuffix("norm.weight"), !name.hasSuffix(".ssm_norm.weight") {
            arrangement.change = .plus(recipe.normAddend)
        }
        return arrangement
    }

    private func pairOrder(of name: String, _ tensor: StoredTensor) throws(ConversionError) -> RowOrder {
        let isQuery = name.contains(".attn_q.")
        guard isQuery || name.contains(".attn_k.") else { return .same }
        let heads = isQuery ? try configuration.heads : try configuration.keyValueHeads
        guard let rows = tensor.shape.first, rows.isMultiple(of: 2 * heads) else {
            throw .tensor(
                name: tensor.name,
                problem: "has shape \(tensor.shape), which cannot be divided into \(heads) heads of even size")
        }
        return .rotaryPairs(heads: heads)
    }

    private mutating func add(
        _ name: String, _ tensor: StoredTensor, _ arrangement: Arrangement
    ) throws(ConversionError) {
        let shape = arrangement.shape ?? Self.squeezed(tensor.shape, name)
        try append(name, [tensor], shape: shape, arrangement)
    }

    /// A filter is stored with a dimension for the channels per group, which is one.
    private static func squeezed(_ shape: [Int], _ name: String) -> [Int] {
        let filters = ["shortconv.conv.weight", "ssm_conv1d.weight"]
        guard filters.contains(where: name.hasSuffix), shape.count == 3, shape[1] == 1 else { return shape }
        return [shape[0], shape[2]]
    }

    private mutating func finishStack(_ name: String) throws(ConversionError) {
        let experts = stacks[name] ?? [:]
        let count = try configuration.integer("num_local_experts", "num_experts")
        guard let first = experts[0], experts.count == count, (0..<count).allSatisfy({ experts[$0] != nil }) else {
            throw .tensor(
                name: name,
                problem: "needs \(count) experts, of which \(experts.count) were found: download the complete folder")
        }
        let tensors = (0..<count).compactMap { experts[$0] }
        if let other = tensors.first(where: { $0.shape != first.shape || $0.type != first.type }) {
            throw .tensor(
                name: other.name,
                problem: "is \(other.type) \(other.shape), but \(first.name) is \(first.type) \(first.shape)")
        }
        try append(name, tensors, shape: [count] + first.shape, Arrangement())
    }

    private mutating func append(
        _ name: String, _ tensors: [StoredTensor], shape: [Int], _ arrangement: Arrangement
    ) throws(ConversionError) {
        guard (1...4).contains(shape.count), shape.allSatisfy({ $0 > 0 }) else {
            throw .tensor(
                name: tensors[0].name,
                problem: "has shape \(shape), but must have one to four dimensions, none of them 0")
        }
        guard tensors.allSatisfy(\.type.isReadable) else {
            throw .tensor(
                name: tensors[0].name,
                problem: "is stored as \(tensors[0].type); only F64, F32, F16, BF16 and I64 can be converted")
        }
        conversions.append(
            TensorConversion(
                name: name, type: type(of: name, shape), dimensions: shape.reversed(), content: .stored(tensors),
                arrangement: arrangement))
    }

    /// Vectors, norms, and small but important tensors are written in single precision, as llama.cpp expects.
    private func type(of name: String, _ shape: [Int]) -> GGMLType {
        let always = [
            "ffn_gate_inp.weight", "ffn_gate_inp_shexp.weight", "position_embd.weight", "token_types.weight",
            "shortconv.conv.weight", "ssm_conv1d.weight",
        ]
        if shape.count == 1 || name.hasSuffix("_norm.weight") || !name.hasSuffix(".weight")
            || always.contains(where: { name.hasSuffix($0) })
        {
            return .F32
        }
        let fits = shape[shape.count - 1].isMultiple(of: outputType.elementsPerBlock)
        return fits ? outputType : .F16
    }

    private func checkWholeness() throws(ConversionError) {
        guard conversions.contains(where: { $0.name == "token_embd.weight" }) else {
            throw .missingTensor(name: "token_embd.weight")
        }
        for layer in 0..<(try configuration.layers) where !layersSeen.contains(layer) {
            throw .missingTensor(name: "\(recipe.layerPrefix)\(layer)")
        }
    }
}

// MARK: Experts with interleaved gate and up rows

extension TensorPlan {
    /// Codes and scales of one matrix of all experts of a layer.
    private struct QuantizedExperts {
        var codes: StoredTensor?
        var scales: StoredTensor?
    }

    private mutating func add(
        _ part: JointExpertTensor, _ tensor: StoredTensor, _ layer: Int
    ) throws(ConversionError) {
        switch part.kind {
        case .codes: quantized[part.matrix, default: [:]][layer, default: QuantizedExperts()].codes = tensor
        case .scales: quantized[part.matrix, default: [:]][layer, default: QuantizedExperts()].scales = tensor
        case .biases:
            let shape = try part.written(tensor.shape, of: tensor, dimensions: 2)
            for output in part.matrix.outputs {
                try add(
                    output.name(layer, ".bias"), tensor, Arrangement(rows: output.rows, shape: shape, rowLength: 1))
            }
        case .weights:
            let stored = tensor.shape
            guard stored.count == 3 else { throw part.wrongShape(tensor) }
            let shape = try part.written([stored[0], stored[2], stored[1]], of: tensor, dimensions: 3)
            for output in part.matrix.outputs {
                try add(
                    output.name(layer, ".weight"), tensor,
                    Arrangement(rows: output.rows, shape: shape, isTransposed: true))
            }
        }
    }

    private mutating func finish(
        _ experts: QuantizedExperts, _ matrix: JointExpertTensor.Matrix, _ layer: Int
    ) throws(ConversionError) {
        guard let codes = experts.codes, let scales = experts.scales else {
            throw .missingTensor(
                name: "\(recipe.layerPrefix)\(layer).mlp.experts.\(matrix.rawValue)_blocks and _scales")
        }
        let part = JointExpertTensor(matrix: matrix, kind: .codes)
        guard codes.type == .U8, scales.type == .U8, scales.shape.count == 3, let blocks = scales.shape.last,
            codes.shape == scales.shape + [MXFP4Blocks.codeBytes]
        else { throw part.wrongShape(codes) }
        let stored = Array(scales.shape.dropLast()) + [blocks * BlockMXFP4.elementCount]
        let shape = try part.written(stored, of: codes, dimensions: 3)
        for output in matrix.outputs {
            conversions.append(
                TensorConversion(
                    name: output.name(layer, ".weight"), type: .MXFP4, dimensions: shape.reversed(),
                    content: .blocks(codes: codes, scales: scales), arrangement: Arrangement(rows: output.rows)))
        }
    }
}

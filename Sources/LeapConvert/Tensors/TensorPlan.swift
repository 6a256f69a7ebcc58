import LeapBlocks

/// Which tensors a GGUF file gets, and what they are made of.
struct TensorPlan {
    private let recipe: ArchitectureRecipe
    private let configuration: Configuration
    private let outputType: GGMLType
    private(set) var conversions: [TensorConversion] = []
    /// Matrices of experts by stack, then by number.
    private var stacks: [String: [Int: StoredTensor]] = [:]
    private var stackOrder: [String] = []
    private var layersSeen: Set<Int> = []

    init(
        _ tensors: [StoredTensor], _ recipe: ArchitectureRecipe, _ configuration: Configuration, outputType: GGMLType
    ) throws(ConversionError) {
        self.recipe = recipe
        self.configuration = configuration
        self.outputType = outputType
        for tensor in try recipe.extraTensors(configuration) {
            conversions.append(
                TensorConversion(
                    name: tensor.name, type: .F32, dimensions: [tensor.numbers.count],
                    content: .numbers(tensor.numbers),
                    order: .same, addend: 0))
        }
        let names = TensorNames(recipe)
        for tensor in tensors { try add(tensor, at: try names.place(of: tensor.name)) }
        for name in stackOrder { try finishStack(name) }
        try checkWholeness()
    }

    private mutating func add(_ tensor: StoredTensor, at place: TensorNames.Place) throws(ConversionError) {
        switch place {
        case .ignored: return
        case .single(let name, let layer):
            try see(layer, tensor)
            try add(name, tensor, order: order(of: name, tensor))
        case .expert(let stack, let number, let layer):
            try see(layer, tensor)
            if stacks[stack] == nil { stackOrder.append(stack) }
            guard stacks[stack, default: [:]].updateValue(tensor, forKey: number) == nil else {
                throw .tensor(name: tensor.name, problem: "is there twice")
            }
        case .gatesAndUps(let layer):
            try see(layer, tensor)
            guard tensor.shape.count == 3, tensor.shape[1].isMultiple(of: 2) else {
                throw .tensor(
                    name: tensor.name,
                    problem: "has shape \(tensor.shape), but gates and as many rows that go up are expected")
            }
            for (name, isSecond) in [("ffn_gate_exps", false), ("ffn_up_exps", true)] {
                try add(
                    "blk.\(layer).\(name).weight", tensor, order: .half(matrixRows: tensor.shape[1], isSecond: isSecond)
                )
            }
        }
    }

    private mutating func see(_ layer: Int?, _ tensor: StoredTensor) throws(ConversionError) {
        guard let layer else { return }
        let count = try configuration.layers
        guard layer < count else {
            throw .tensor(name: tensor.name, problem: "is of layer \(layer), but the model has \(count)")
        }
        layersSeen.insert(layer)
    }

    private func order(of name: String, _ tensor: StoredTensor) throws(ConversionError) -> RowOrder {
        guard recipe.pairsNeighbours else { return .same }
        let isQuery = name.contains(".attn_q.")
        guard isQuery || name.contains(".attn_k.") else { return .same }
        let heads = isQuery ? try configuration.heads : try configuration.keyValueHeads
        guard let rows = tensor.shape.first, rows.isMultiple(of: 2 * heads) else {
            throw .tensor(
                name: tensor.name,
                problem: "has shape \(tensor.shape), which is no even length for each of \(heads) heads")
        }
        return .rotaryPairs(heads: heads)
    }

    private mutating func add(_ name: String, _ tensor: StoredTensor, order: RowOrder) throws(ConversionError) {
        var shape = Self.squeezed(tensor.shape, name)
        if case .half = order { shape[1] /= 2 }
        try append(name, [tensor], shape: shape, order: order)
    }

    /// A filter is stored with a dimension for the channels of a group, which is one.
    private static func squeezed(_ shape: [Int], _ name: String) -> [Int] {
        guard name.hasSuffix("shortconv.conv.weight"), shape.count == 3, shape[1] == 1 else { return shape }
        return [shape[0], shape[2]]
    }

    private mutating func finishStack(_ name: String) throws(ConversionError) {
        let experts = stacks[name] ?? [:]
        let count = try configuration.integer("num_local_experts", "num_experts")
        guard let first = experts[0], experts.count == count, (0..<count).allSatisfy({ experts[$0] != nil }) else {
            throw .missingTensor(name: "\(name): \(count) experts, of which \(experts.count) are there")
        }
        let tensors = (0..<count).compactMap { experts[$0] }
        if let other = tensors.first(where: { $0.shape != first.shape || $0.type != first.type }) {
            throw .tensor(
                name: other.name,
                problem: "is \(other.type) \(other.shape), but \(first.name) is \(first.type) \(first.shape)")
        }
        try append(name, tensors, shape: [count] + first.shape, order: .same)
    }

    private mutating func append(
        _ name: String, _ tensors: [StoredTensor], shape: [Int], order: RowOrder
    ) throws(ConversionError) {
        guard (1...4).contains(shape.count), shape.allSatisfy({ $0 > 0 }) else {
            throw .tensor(name: tensors[0].name, problem: "has shape \(shape), but one to four dimensions are expected")
        }
        guard tensors.allSatisfy(\.type.isReadable) else {
            throw .tensor(
                name: tensors[0].name,
                problem: "is stored as \(tensors[0].type); only F64, F32, F16, BF16 and I64 can be converted")
        }
        let addend = name.hasSuffix("norm.weight") ? recipe.normAddend : 0
        conversions.append(
            TensorConversion(
                name: name, type: type(of: name, shape), dimensions: shape.reversed(), content: .stored(tensors),
                order: order, addend: addend))
    }

    /// Vectors, norms, and what is small and matters much are written in single precision, as llama.cpp expects them.
    private func type(of name: String, _ shape: [Int]) -> GGMLType {
        let always = ["ffn_gate_inp.weight", "position_embd.weight", "token_types.weight", "shortconv.conv.weight"]
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

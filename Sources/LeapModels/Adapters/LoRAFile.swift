public import LeapBlocks
public import LeapGGUF

/// A LoRA adapter in a file: two narrow matrices for each of some projections `W` of a model, by which `W · x` becomes
/// `W · x + factor · B · (A · x)`.
///
/// Keys and names are those that `convert_lora_to_gguf` writes: `NAME.weight.lora_a` is `A`, `[rank, inputs]`, and
/// `NAME.weight.lora_b` is `B`, `[outputs, rank]`; for experts both of each, `[experts, rank, inputs]` and
/// `[experts, outputs, rank]`. The token embedding is looked up and not multiplied, so its `A` lies the other way,
/// `[tokens, rank]`: the row of token `t` becomes `W[t] + factor · B · A[t]`. The factor is `alpha / rank`, or 1 if the
/// file has no alpha.
/// Source: Hu et al. 2021, "LoRA: Low-Rank Adaptation of Large Language Models".
public struct LoRAFile: Sendable {
    /// The file.
    public let file: GGUFFile
    /// The architecture of the models that the adapter fits.
    public let architecture: String
    /// The adapter's name, if the file has one.
    public let name: String?
    /// The alpha of the factors; `nil` if the file has none, or 0.
    public let alpha: Float?
    /// The changes, by the names of the tensors that they change.
    public let changes: [String: Change]

    /// The `general.type` of adapters.
    static let type = "adapter"

    /// The types that its matrices may have.
    public static let types: [GGMLType] = [.F32, .F16, .BF16, .Q8_0]

    /// The change of a projection, of experts or of the token embedding.
    public struct Change: Sendable {
        /// `[rank, inputs]`, of each expert; `[tokens, rank]` of the token embedding
        public let down: GGUFTensor
        /// `[outputs, rank]`, of each expert
        public let up: GGUFTensor
        /// The width between ``down`` and ``up``, at least one.
        public let rank: Int
    }

    /// Checks what can be checked without a model.
    ///
    /// - Throws: ``ModelError/adapter(path:_:)``, or ``ModelError/metadata(_:)`` for a key that is missing or of another type.
    public init(_ file: GGUFFile) throws(ModelError) {
        let metadata = file.metadata
        func string(_ key: String) throws(ModelError) -> String? {
            try reading { () throws(GGUFError) in try metadata.stringIfPresent(key) }
        }
        let type = try string("general.type")
        guard type == Self.type else { throw .adapter(path: file.path, .notAnAdapter(type: type)) }
        let kind = try reading { () throws(GGUFError) in try metadata.string("adapter.type") }
        guard kind == "lora" else { throw .adapter(path: file.path, .unsupportedKind(kind)) }
        let invocation = "adapter.alora.invocation_tokens"
        guard !metadata.contains(invocation) else {
            let reason =
                "adapters that are activated by certain tokens are not implemented. Use one that is always active"
            throw .adapter(path: file.path, .unsupportedFeature(key: invocation, reason: reason))
        }
        self.file = file
        architecture = try reading { () throws(GGUFError) in try metadata.string("general.architecture") }
        name = try string("general.name")
        let alpha = try Self.alpha(of: file)
        self.alpha = alpha == 0 ? nil : alpha
        changes = try Self.changes(in: file)
    }

    /// The ranks of its changes, each once, in rising order.
    public var ranks: [Int] { Set(changes.values.map(\.rank)).sorted() }

    /// The factor of a change when the adapter is used as it was trained.
    public func factor(of change: Change) -> Float { alpha.map { $0 / Float(change.rank) } ?? 1 }

    private static func alpha(of file: GGUFFile) throws(ModelError) -> Float? {
        let key = "adapter.lora.alpha"
        // The getter rejects non-finite numbers with a message for hyper-parameters, so NaN is handled here.
        if case .float32(let value) = file.metadata.value(key), !value.isFinite {
            throw .adapter(path: file.path, .invalidAlpha("\(value)"))
        }
        return try reading { () throws(GGUFError) in try file.metadata.floatIfPresent(key) }
    }

    private static func changes(in file: GGUFFile) throws(ModelError) -> [String: Change] {
        guard !file.tensors.isEmpty else { throw .adapter(path: file.path, .noTensors) }
        var changes: [String: Change] = [:]
        for tensor in file.tensors {
            guard let half = Half(of: tensor.name) else {
                throw .adapter(path: file.path, .foreignTensor(tensor.name))
            }
            let missing = half.target + half.otherSuffix
            guard let other = file.tensor(named: missing) else {
                throw .adapter(path: file.path, .missingHalf(tensor: tensor.name, missing: missing))
            }
            guard half.isDown else { continue }
            let looksUp = half.target == Binder.embeddingName
            if let fault = Change.fault(down: tensor, up: other, looksUp: looksUp) {
                throw .adapter(path: file.path, fault)
            }
            changes[half.target] = Change(down: tensor, up: other, rank: looksUp ? tensor.inputs : tensor.outputs)
        }
        return changes
    }

    /// The parts of a matrix's name.
    private struct Half {
        /// The name of the tensor that is changed.
        let target: String
        let isDown: Bool

        private static let (down, up) = (".lora_a", ".lora_b")

        init?(of name: String) {
            isDown = name.hasSuffix(Self.down)
            guard isDown || name.hasSuffix(Self.up) else { return nil }
            target = String(name.dropLast(Self.down.count))
            guard target.hasSuffix(".weight") else { return nil }
        }

        var otherSuffix: String { isDown ? Self.up : Self.down }
    }
}

extension LoRAFile.Change {
    /// What is wrong with one of two matrices, or with their combination; `nil` if they match.
    ///
    /// - Parameter looksUp: Whether rows of `down` are looked up, and not multiplied.
    fileprivate static func fault(down: GGUFTensor, up: GGUFTensor, looksUp: Bool) -> AdapterFault? {
        for tensor in [down, up] {
            guard LoRAFile.types.contains(tensor.type) else {
                return .unsupportedType(tensor: tensor.name, type: tensor.type)
            }
            guard !tensor.dimensions.isEmpty, tensor.dimensions.dropFirst(3).allSatisfy({ $0 == 1 }) else {
                let expected = "two dimensions, or three for experts"
                return .wrongShape(tensor: tensor.name, expected: expected, found: tensor.dimensions)
            }
        }
        let rank = looksUp ? down.inputs : down.outputs
        guard rank >= 1 else {
            return .wrongShape(tensor: down.name, expected: "a rank of at least 1", found: down.dimensions)
        }
        guard up.inputs == rank else {
            let expected = "\(rank) inputs, as many as '\(down.name)' has \(looksUp ? "inputs" : "outputs")"
            return .wrongShape(tensor: up.name, expected: expected, found: up.dimensions)
        }
        return nil
    }
}

extension GGUFTensor {
    /// Columns of a matrix.
    var inputs: Int { dimensions.first ?? 0 }
    /// Rows of a matrix; files leave out dimensions of 1.
    var outputs: Int { dimensions.count > 1 ? dimensions[1] : 1 }
    /// Consecutive matrices.
    var matrixCount: Int { dimensions.count > 2 ? dimensions[2] : 1 }
}

import LeapGGUF

/// The roles of a file's tensors, by the names that llama.cpp's converter gives them.
struct TensorRoles {
    private let values: [String: Int]
    /// The index of each feed-forward network's second matrix among all of them.
    private let downs: [String: Int]
    private let downCount: Int
    private let hasOutput: Bool
    let model: MixedModel

    init(_ file: GGUFFile) {
        let names = file.tensors.map(\.name)
        values = Self.places(names.filter { name in Self.valueEndings.contains { name.hasSuffix($0) } })
        let downNames = names.filter { Self.isDown($0) }
        let experts = Self.integer("expert_count", of: file) ?? 0
        // Experts, whether in one tensor or in one each, and shared experts belong to the same block.
        if experts > 1 || downNames.contains(where: { $0.contains("_exps") }) {
            downs = Dictionary(downNames.map { ($0, Self.block($0)) }) { first, _ in first }
            downCount = Self.integer("block_count", of: file) ?? downs.count
        } else {
            downs = Self.places(downNames)
            downCount = downs.count
        }
        hasOutput = names.contains("output.weight")
        model = MixedModel(
            queriesPerKey: Self.queriesPerKey(file), hasEightExperts: experts == 8,
            hasSmallValues: Self.hasSmallValues(file))
    }

    /// The role of a tensor; `nil` for tensors that no mix changes, which are copied.
    func role(of tensor: GGUFTensor) -> TensorRole? {
        let name = tensor.name
        guard tensor.dimensions.count > 1, tensor.dimensions.dropFirst().contains(where: { $0 > 1 }),
            name.hasSuffix(".weight"), !Self.kept.contains(where: { name.contains($0) })
        else { return nil }
        if name == "output.weight" { return .output }
        if name == "token_embd.weight" { return hasOutput ? .embedding : .output }
        if let place = values[name] { return .value(index: place, count: values.count) }
        if let place = downs[name] { return .down(index: place, count: downCount) }
        if name.hasSuffix("attn_k.weight") { return .key }
        if name.hasSuffix("attn_output.weight") { return .attentionOutput }
        return .matrix
    }

    /// Name parts of tensors that are small but important, or not operands of a product.
    private static let kept = [
        "_norm.weight", "ffn_gate_inp", "shortconv.conv.weight", "ssm_conv1d.weight", "position_embd.weight",
        "token_types.weight", "rope_freqs", "rope_factors", "attn_rel_b.weight",
    ]

    /// Value projections, alone or in one matrix with queries and keys.
    private static let valueEndings = ["attn_v.weight", "attn_qkv.weight"]

    private static func isDown(_ name: String) -> Bool {
        name.contains("ffn_down") && name.hasSuffix(".weight") && !name.contains("_norm")
    }

    /// Names in model order: by block number, then in file order.
    private static func places(_ names: [String]) -> [String: Int] {
        let sorted = names.enumerated().sorted { left, right in
            (block(left.element), left.offset) < (block(right.element), right.offset)
        }
        return Dictionary(sorted.enumerated().map { ($1.element, $0) }) { first, _ in first }
    }

    private static func block(_ name: String) -> Int {
        name.split(separator: ".").dropFirst().first.flatMap { Int($0) } ?? 0
    }

    /// Query heads per key head in the first block; 0 if it has none, or the file does not specify it.
    private static func queriesPerKey(_ file: GGUFFile) -> Int {
        let heads = integer("attention.head_count", of: file)
        guard let heads, let keyHeads = integer("attention.head_count_kv", of: file), keyHeads > 0 else { return 0 }
        return heads / keyHeads
    }

    /// Whether the model is one of 70 billion parameters with grouped-query attention, recognised by its 80 blocks.
    private static func hasSmallValues(_ file: GGUFFile) -> Bool {
        guard integer("block_count", of: file) == 80 else { return false }
        switch try? file.metadata.string("general.architecture") {
        // The first Llama has 80 blocks as well, but no shared heads.
        case "llama": return queriesPerKey(file) > 1
        case "qwen2": return true
        default: return false
        }
    }

    /// The file's value for an architecture key; for a list, that of the first block.
    private static func integer(_ key: String, of file: GGUFFile) -> Int? {
        guard let architecture = try? file.metadata.string("general.architecture") else { return nil }
        let value = file.metadata.value("\(architecture).\(key)")
        guard case .array(let array)? = value else { return value?.integer }
        return array.indices.first.flatMap { array[$0].integer }
    }
}

extension GGUFValue {
    /// The number, if it is an integer that fits.
    fileprivate var integer: Int? {
        switch self {
        case .uint8(let value): Int(value)
        case .int8(let value): Int(value)
        case .uint16(let value): Int(value)
        case .int16(let value): Int(value)
        case .uint32(let value): Int(value)
        case .int32(let value): Int(value)
        case .uint64(let value): Int(exactly: value)
        case .int64(let value): Int(exactly: value)
        default: nil
        }
    }
}

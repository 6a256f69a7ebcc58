package import LeapBlocks

// The type of each tensor of a file type. The facts are those of the tool that makes such files, llama-quantize:
// https://github.com/ggml-org/llama.cpp, tools/quantize.

extension FileType {
    /// The type of a tensor in files of this type.
    ///
    /// - Parameters:
    ///   - role: What the tensor is for.
    ///   - columns: Elements of a row.
    ///   - model: The model's properties.
    ///   - isExperts: Whether the tensor has one matrix per expert.
    ///   - hasImportance: Whether an importance matrix is used.
    package func tensorType(
        of role: TensorRole, columns: Int, in model: MixedModel, isExperts: Bool = false, hasImportance: Bool = false
    ) -> GGMLType {
        switch role {
        case .norm, .filter, .rotaryFactors, .router, .bias: return .F32
        default: break
        }
        guard isQuantized else { return base }
        let mixed = wantedType(of: role, in: model, hasImportance: hasImportance)
        let wanted = self == .MXFP4_MOE && isExperts ? GGMLType.MXFP4 : mixed
        return Self.fitting(wanted, columns: columns)
    }

    /// The type of most matrices.
    private var base: GGMLType {
        switch self {
        case .F32: .F32
        case .F16: .F16
        case .BF16: .BF16
        case .Q4_0: .Q4_0
        case .Q4_1: .Q4_1
        case .Q5_0: .Q5_0
        case .Q5_1: .Q5_1
        case .Q8_0: .Q8_0
        case .Q2_K: .Q2_K
        case .Q3_K_S, .Q3_K_M, .Q3_K_L: .Q3_K
        case .Q4_K_S, .Q4_K_M: .Q4_K
        case .Q5_K_S, .Q5_K_M: .Q5_K
        case .Q6_K: .Q6_K
        case .IQ4_NL: .IQ4_NL
        case .IQ4_XS: .IQ4_XS
        case .MXFP4_MOE: .Q8_0
        }
    }

    private var isQuantized: Bool { base.elementsPerBlock > 1 }

    private func wantedType(of role: TensorRole, in model: MixedModel, hasImportance: Bool) -> GGMLType {
        switch role {
        case .output: base == .Q8_0 ? .Q8_0 : .Q6_K
        case .value(let index, let count): valueType(index, of: count, in: model)
        case .key: model.hasEightExperts ? .Q8_0 : base
        case .down(let index, let count): downType(index, of: count, hasImportance: hasImportance)
        case .attentionOutput: attentionOutputType(in: model)
        default: base
        }
    }

    private func valueType(_ index: Int, of count: Int, in model: MixedModel) -> GGMLType {
        // Values and keys are small beside the experts' matrices.
        if model.hasEightExperts { return .Q8_0 }
        let type = valueType(index, of: count, queriesPerKey: model.queriesPerKey)
        return model.hasSmallValues && (type == .Q3_K || type == .Q4_K) ? .Q5_K : type
    }

    private func valueType(_ index: Int, of count: Int, queriesPerKey: Int) -> GGMLType {
        switch self {
        case .Q2_K: queriesPerKey >= 4 ? .Q4_K : .Q3_K
        case .Q3_K_M: index < 2 ? .Q5_K : .Q4_K
        case .Q3_K_L: .Q5_K
        case .Q4_K_S: index < 4 ? .Q5_K : .Q4_K
        case .Q4_K_M, .Q5_K_M: Self.getsMoreBits(index, of: count) ? .Q6_K : base
        case .IQ4_NL, .IQ4_XS: queriesPerKey >= 4 ? .Q5_K : base
        default: base
        }
    }

    private func downType(_ index: Int, of count: Int, hasImportance: Bool) -> GGMLType {
        let isEarly = index < count / 8
        return switch self {
        case .Q2_K: .Q3_K
        case .Q3_K_M: index < count / 16 ? .Q5_K : .Q4_K
        case .Q3_K_L: .Q5_K
        case .Q4_K_S: isEarly ? .Q5_K : base
        case .IQ4_NL, .IQ4_XS: isEarly && !hasImportance ? .Q5_K : base
        case .Q4_0: isEarly && hasImportance ? .Q4_1 : base
        case .Q5_0: isEarly && hasImportance ? .Q5_1 : base
        case .Q4_K_M, .Q5_K_M: Self.getsMoreBits(index, of: count) ? .Q6_K : base
        default: base
        }
    }

    private func attentionOutputType(in model: MixedModel) -> GGMLType {
        if model.hasEightExperts {
            return switch self {
            case .Q2_K, .Q3_K_S, .Q3_K_M, .Q4_K_S, .Q4_K_M, .IQ4_NL, .IQ4_XS: .Q5_K
            default: base
            }
        }
        return switch self {
        case .Q2_K: .Q3_K
        case .Q3_K_M: .Q4_K
        case .Q3_K_L: .Q5_K
        default: base
        }
    }

    /// Whether a medium mix spends more bits on a block: on the first and the last eighth, and on every third in
    /// between.
    private static func getsMoreBits(_ index: Int, of count: Int) -> Bool {
        index < count / 8 || index >= 7 * count / 8 || (index - count / 8) % 3 == 2
    }

    /// The type or, if rows are not a whole number of its blocks, the fallback type with small blocks.
    private static func fitting(_ type: GGMLType, columns: Int) -> GGMLType {
        if columns.isMultiple(of: type.elementsPerBlock) { return type }
        let smaller: GGMLType =
            switch type {
            case .Q2_K, .Q3_K: .Q4_0
            case .IQ4_XS: .IQ4_NL
            case .Q4_K: .Q5_0
            case .Q5_K: .Q5_1
            case .Q6_K: .Q8_0
            default: .F16
            }
        return columns.isMultiple(of: smaller.elementsPerBlock) ? smaller : .F16
    }
}

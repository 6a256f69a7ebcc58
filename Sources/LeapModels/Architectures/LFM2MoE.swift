import LeapOps

/// LFM2 with mixtures of experts: LFM2's layers, of which all but the leading ones choose experts for every row.
///
/// Probabilities are sigmoids; a bias of each expert takes part in the choice alone; the weights of the chosen are divided by
/// their sum.
/// Source: LFM2 technical report (Liquid AI 2025), "mixture of experts"; tensor names and keys as GGUF files have them.
enum LFM2MoE: Architecture {
    static let name = "lfm2moe"
    static let knownKeys = Binder.expertKeys

    static func graph(_ model: Binder) throws(ModelError) -> Graph {
        let leadingDense = try model.leadingDenseBlocks()
        let defaults = ExpertDefaults(gate: .sigmoid, epsilon: 1e-6, hasChoiceBias: true)
        return try Graph(model, rotary: model.rotary(.neoX), outputNorm: LFM2.outputNorm(model)) {
            block throws(ModelError) in
            try LFM2.layer(
                block, isCausal: true,
                channelMixer: try block.channelMixer(leadingDense: leadingDense, defaults))
        }
    }
}

import Foundation
import LeapBlocks
import LeapGGUF
import LeapGeneration
import LeapQuantize
import LeapToolSupport

/// A model file of a real model's shape with random weights: as fast as the real one, and freely distributable.
///
/// Weights have the deviation `1 / √columns`, which preserves the magnitude of activations from one layer to the next.
struct SyntheticModel: Sendable {
    let shape: ModelShape
    let fileType: FileType
    let seed: UInt64

    /// A name for the file, such as `lfm2-1.2b-Q4_K_M`.
    var name: String { "\(shape.name)-\(fileType.name)" }

    /// Writes the file; it appears under its name when it is complete.
    func write(to path: String) throws {
        try writer().write(to: path) { try appendTensors(to: $0) }
    }

    /// The file's bytes, for tests.
    func encoded() throws -> [UInt8] { try writer().encoded { try appendTensors(to: $0) } }

    private func writer() throws -> GGUFWriter {
        var writer = GGUFWriter()
        setMetadata(of: &writer)
        for tensor in shape.tensors {
            try writer.addTensor(tensor.name, type: type(of: tensor), dimensions: tensor.dimensions)
        }
        return writer
    }

    /// The type of a tensor in this file.
    func type(of tensor: TensorShape) -> GGMLType {
        fileType.tensorType(
            of: tensor.role, columns: tensor.columns, in: MixedModel(queriesPerKey: shape.queriesPerKey),
            isExperts: tensor.dimensions.count > 2)
    }
}

// MARK: - Metadata

extension SyntheticModel {
    private func setMetadata(of writer: inout GGUFWriter) {
        writer.set("general.architecture", .string(shape.architecture.rawValue))
        writer.set("general.type", .string("model"))
        writer.set("general.name", .string("\(shape.title), random weights of seed \(seed)"))
        writer.set("general.size_label", .string(shape.sizeLabel))
        setHyperParameters(of: &writer)
        setVocabulary(of: &writer)
        writer.set("general.quantization_version", .uint32(2))
        writer.set("general.file_type", .uint32(UInt32(fileType.rawValue)))
    }

    private func setHyperParameters(of writer: inout GGUFWriter) {
        let prefix = shape.architecture.rawValue
        let numbers = [
            ("block_count", shape.blockCount), ("context_length", shape.contextLength),
            ("embedding_length", shape.embeddingLength), ("feed_forward_length", shape.feedForwardLength),
            ("attention.head_count", shape.headCount), ("vocab_size", shape.vocabulary.size),
        ]
        for (key, number) in numbers { writer.set("\(prefix).\(key)", .uint32(UInt32(number))) }
        writer.set("\(prefix).rope.freq_base", .float32(shape.rotaryBase))
        writer.set("\(prefix).attention.layer_norm_rms_epsilon", .float32(shape.normEpsilon))
        if let experts = shape.experts { setExperts(experts, prefix, of: &writer) }
        switch shape.architecture {
        case .lfm2, .lfm2moe:
            let heads = (0..<shape.blockCount).map { Int32(shape.keyValueHeadCount(ofBlock: $0)) }
            writer.set("\(prefix).attention.head_count_kv", array: heads)
            writer.set("\(prefix).shortconv.l_cache", .uint32(UInt32(ModelShape.convolutionTaps)))
        case .gemma3, .gptOSS, .llama, .qwen3, .qwen35:
            let dimension = UInt32(shape.headDimension)
            writer.set("\(prefix).attention.head_count_kv", .uint32(UInt32(shape.keyValueHeadCount)))
            writer.set("\(prefix).attention.key_length", .uint32(dimension))
            writer.set("\(prefix).attention.value_length", .uint32(dimension))
            let rotated = shape.rotaryDimensions ?? shape.headDimension
            writer.set("\(prefix).rope.dimension_count", .uint32(UInt32(rotated)))
            if let deltaNet = shape.deltaNet { setDeltaNet(deltaNet, rotated: rotated, prefix, of: &writer) }
        }
        if let yarn = shape.yarn {
            writer.set("\(prefix).rope.scaling.type", .string("yarn"))
            writer.set("\(prefix).rope.scaling.factor", .float32(yarn.factor))
            writer.set("\(prefix).rope.scaling.original_context_length", .uint32(UInt32(yarn.originalContextLength)))
        }
        if let window = shape.window { writer.set("\(prefix).attention.sliding_window", .uint32(UInt32(window))) }
    }

    private func setDeltaNet(
        _ net: ModelShape.DeltaNet, rotated: Int, _ prefix: String, of writer: inout GGUFWriter
    ) {
        let numbers = [
            ("ssm.conv_kernel", net.taps), ("ssm.state_size", net.dimension), ("ssm.group_count", net.keyHeads),
            ("ssm.time_step_rank", net.valueHeads), ("ssm.inner_size", net.valueWidth),
            ("full_attention_interval", net.interval),
        ]
        for (key, number) in numbers { writer.set("\(prefix).\(key)", .uint32(UInt32(number))) }
        // Time, height, width: text has the same position in all three.
        let third = rotated / 2 / 3
        let sections = [rotated / 2 - 2 * third, third, third, 0].map { Int32($0) }
        writer.set("\(prefix).rope.dimension_sections", array: sections)
    }

    private func setExperts(_ experts: ModelShape.Experts, _ prefix: String, of writer: inout GGUFWriter) {
        let numbers = [
            ("expert_count", experts.count), ("expert_used_count", experts.used),
            ("expert_feed_forward_length", experts.feedForwardLength),
            ("leading_dense_block_count", experts.leadingDenseBlocks),
            ("expert_gating_func", shape.architecture == .gptOSS ? Self.softmaxOfChosen : Self.sigmoid),
        ]
        for (key, number) in numbers { writer.set("\(prefix).\(key)", .uint32(UInt32(number))) }
    }

    /// The value in files for routers with sigmoid probabilities.
    private static let sigmoid = 2
    /// The value for routers with a softmax over the chosen experts.
    private static let softmaxOfChosen = 3

    private func setVocabulary(of writer: inout GGUFWriter) {
        let vocabulary = shape.vocabulary
        writer.set("tokenizer.ggml.model", .string("gpt2"))
        writer.set("tokenizer.ggml.pre", .string(vocabulary.preTokenizer))
        writer.set("tokenizer.ggml.tokens", strings: vocabulary.tokens)
        writer.set("tokenizer.ggml.token_type", array: vocabulary.tokenTypes)
        writer.set("tokenizer.ggml.merges", strings: vocabulary.merges)
        writer.set("tokenizer.ggml.bos_token_id", .uint32(UInt32(vocabulary.beginOfText)))
        writer.set("tokenizer.ggml.eos_token_id", .uint32(UInt32(vocabulary.endOfTurn)))
        writer.set("tokenizer.ggml.padding_token_id", .uint32(UInt32(vocabulary.padding)))
        writer.set("tokenizer.ggml.add_bos_token", .bool(vocabulary.addsBeginOfText))
        writer.set("tokenizer.ggml.add_eos_token", .bool(false))
        writer.set("tokenizer.chat_template", .string(vocabulary.chatTemplate))
    }
}

// MARK: - Data

extension SyntheticModel {
    private func appendTensors(to output: GGUFOutput) throws {
        let buffer = RandomBlocks.makeBuffer()
        defer { buffer.deallocate() }
        for (index, tensor) in shape.tensors.enumerated() {
            switch tensor.role {
            case .norm: try output.append([Float](repeating: 1, count: tensor.elementCount))
            case .bias: try output.append([Float](repeating: 0, count: tensor.elementCount))
            case .rotaryFactors: try output.append(shape.rotaryFactors)
            default: try tensor.appendRandom(type(of: tensor), seed: seed, index: index, buffer, to: output)
            }
        }
    }
}

extension ModelShape {
    /// The divisor of each rotary frequency: 1 for short wavelengths, `factor` for long ones, and a blend in between.
    ///
    /// Source: the reference implementation of Llama 3.1, `apply_scaling`; the GGUF tensor `rope_freqs`.
    var rotaryFactors: [Float] {
        guard let scaling = llama3Scaling else { return [] }
        return (0..<headDimension / 2).map { pair in
            let wavelength = 2 * Float.pi * powf(rotaryBase, Float(2 * pair) / Float(headDimension))
            let turns = scaling.originalContextLength / wavelength
            let (low, high) = (scaling.lowFrequencyFactor, scaling.highFrequencyFactor)
            if turns > high { return 1 }
            if turns < low { return scaling.factor }
            let share = (turns - low) / (high - low)
            return 1 / ((1 - share) / scaling.factor + share)
        }
    }
}

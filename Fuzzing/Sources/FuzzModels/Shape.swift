import LeapBlocks
import LeapModels

/// The sizes of a valid model.
struct Shape {
    /// What a file contains.
    enum Kind: CaseIterable {
        case llama, lfm2
        /// A vision encoder and an audio encoder.
        case projector, ear
        /// A vocoder.
        case voice
        /// A file of the suite's fixtures.
        case specimen
    }

    var kind = Kind.llama
    /// The index of the file of that kind.
    var specimen = Specimen.all[0]
    var isSentencePiece = false
    var width = 32
    /// Key/value heads, and query heads for each of them.
    var keyValueHeads = 1
    var group = 2
    var headDimension = 16
    var feedForward = 48
    var blocks = 2
    var taps = 3
    var isTied = true
    var hasBiases = false
    var hasRotaryFactors = false
    /// Of embedding and output, attention and convolution, feed-forward.
    var types: [GGMLType] = [.F32, .F32, .F32]

    var heads: Int { keyValueHeads * group }
    var isLFM2: Bool { kind == .lfm2 }

    var architecture: String {
        switch kind {
        case .llama: "llama"
        case .lfm2: "lfm2"
        case .projector, .ear: VisionEncoder.architecture
        case .voice: "vocoder"
        case .specimen: specimen.architecture
        }
    }

    /// The limit of elements in all matrices together, small enough for thousands of models per minute.
    private static let largest = 1 << 18

    /// Whether the model is small enough to be built quickly.
    func isSmall(vocabulary: Int) -> Bool {
        switch kind {
        case .projector: return projector.elements <= Self.largest
        case .ear: return ear.elements <= Self.largest
        case .voice: return voice.elements <= 4 * Self.largest
        case .specimen: return true
        case .llama, .lfm2: break
        }
        let block = width * (2 * heads * headDimension + 2 * keyValueHeads * headDimension + 3 * feedForward)
        return blocks * block + 2 * width * vocabulary + (isLFM2 ? blocks * 4 * width * width : 0) <= Self.largest
    }

    private static let weightTypes = GGMLType.allCases.filter(\.isSupportedWeight)

    mutating func apply(_ edit: Edit) {
        let number = Int(edit.number)
        switch edit.kind {
        case .size: setSize(edit.target % 13, number)
        case .weightType: types[Int(edit.target) % types.count] = Self.weightTypes.chosen(by: edit.choice)
        default: break
        }
    }

    private mutating func setSize(_ target: UInt8, _ number: Int) {
        switch target {
        case 0: kind = Kind.allCases.chosen(by: number)
        case 1: isSentencePiece = number % 2 == 1
        case 2: width = 1 + number % 600
        case 3: keyValueHeads = 1 + number % 9
        case 4: group = 1 + number % 130
        case 5: headDimension = 2 + number % 300
        case 6: feedForward = 1 + number % 600
        case 7: blocks = 1 + number % 3
        case 8: taps = 2 + number % 63
        case 9: isTied = number % 2 == 1
        case 10: hasBiases = number % 2 == 1
        case 11: hasRotaryFactors = number % 2 == 1
        default: (kind, specimen) = (.specimen, Specimen.all.chosen(by: number))
        }
    }
}

extension Shape {
    /// A tensor of a model.
    struct Tensor {
        var name: String
        var type: GGMLType
        var dimensions: [Int]
        /// Whether it holds ones, as norms do.
        var isOnes = false
        /// Its bytes, if it comes from a file.
        var bytes: [UInt8]?
        /// Bytes that differ from those of a valid model.
        var damage: [(edit: Edit, value: [UInt8])] = []
    }

    /// The tensors of a valid model.
    func tensors(vocabulary: Int) -> [Tensor] {
        switch kind {
        case .projector: return projector.tensors(types)
        case .ear: return ear.tensors(types)
        case .voice: return voice.tensors(types)
        case .specimen: return specimen.tensors
        case .llama, .lfm2: break
        }
        var tensors = [matrix("token_embd.weight", 0, columns: width, rows: vocabulary)]
        for block in 0..<blocks { tensors += self.tensors(ofBlock: block) }
        tensors.append(norm(isLFM2 ? "token_embd_norm.weight" : "output_norm.weight", width))
        if !isTied { tensors.append(matrix("output.weight", 0, columns: width, rows: vocabulary)) }
        if hasRotaryFactors { tensors.append(norm("rope_freqs.weight", headDimension / 2)) }
        return tensors
    }

    /// The vision encoder with these sizes.
    var projector: ProjectorShape {
        ProjectorShape(
            width: heads * headDimension, heads: heads, feedForward: feedForward, blocks: blocks, patch: taps,
            output: width,
            isJoint: hasBiases, hasNorm: hasRotaryFactors)
    }

    /// The audio encoder with these sizes.
    var ear: AudioEncoderShape {
        AudioEncoderShape(
            width: heads * headDimension, heads: heads, feedForward: feedForward, blocks: blocks, taps: taps,
            output: width)
    }

    /// The vocoder with these sizes.
    var voice: VocoderShape {
        VocoderShape(
            width: heads * headDimension, headDimension: headDimension, group: group, feedForward: feedForward,
            blocks: blocks, taps: taps)
    }

    /// In LFM2, every other block has a convolution.
    func hasConvolution(_ block: Int) -> Bool { isLFM2 && block % 2 == 0 }

    private func tensors(ofBlock block: Int) -> [Tensor] {
        let name = "blk.\(block)"
        let mixer = hasConvolution(block) ? convolution("\(name).shortconv") : attention(name)
        return [norm("\(name).attn_norm.weight", width)] + mixer + [
            norm("\(name).ffn_norm.weight", width),
            matrix("\(name).ffn_gate.weight", 2, columns: width, rows: feedForward),
            matrix("\(name).ffn_up.weight", 2, columns: width, rows: feedForward),
            matrix("\(name).ffn_down.weight", 2, columns: feedForward, rows: width),
        ]
    }

    private func attention(_ name: String) -> [Tensor] {
        let (queries, keys) = (heads * headDimension, keyValueHeads * headDimension)
        var tensors = [
            matrix("\(name).attn_q.weight", 1, columns: width, rows: queries),
            matrix("\(name).attn_k.weight", 1, columns: width, rows: keys),
            matrix("\(name).attn_v.weight", 1, columns: width, rows: keys),
            matrix("\(name).attn_output.weight", 1, columns: queries, rows: width),
        ]
        if isLFM2 {
            tensors.append(norm("\(name).attn_q_norm.weight", headDimension))
            tensors.append(norm("\(name).attn_k_norm.weight", headDimension))
        } else if hasBiases {
            tensors.append(norm("\(name).attn_q.bias", queries))
            tensors.append(norm("\(name).ffn_gate.bias", feedForward))
        }
        return tensors
    }

    private func convolution(_ name: String) -> [Tensor] {
        [
            matrix("\(name).in_proj.weight", 1, columns: width, rows: 3 * width),
            Tensor(name: "\(name).conv.weight", type: .F32, dimensions: [taps, width]),
            matrix("\(name).out_proj.weight", 1, columns: width, rows: width),
        ]
    }

    private func norm(_ name: String, _ count: Int) -> Tensor { Self.vector(name, count) }

    /// A matrix of its group's type if its rows are whole blocks.
    private func matrix(_ name: String, _ group: Int, columns: Int, rows: Int) -> Tensor {
        Self.matrix(name, types[group], columns: columns, rows: rows)
    }
}

// MARK: - Tensors of all kinds

extension Shape {
    /// A matrix of a type if its rows are whole blocks.
    static func matrix(_ name: String, _ type: GGMLType, columns: Int, rows: Int) -> Tensor {
        Tensor(
            name: name, type: columns.isMultiple(of: type.elementsPerBlock) ? type : .F32, dimensions: [columns, rows])
    }

    /// A matrix and a bias.
    static func projection(_ name: String, _ type: GGMLType, columns: Int, rows: Int) -> [Tensor] {
        [matrix("\(name).weight", type, columns: columns, rows: rows), vector("\(name).bias", rows)]
    }

    /// A layer norm's scale and shift.
    static func pair(_ name: String, _ count: Int) -> [Tensor] {
        [vector("\(name).weight", count), vector("\(name).bias", count)]
    }

    /// A vector of ones.
    static func vector(_ name: String, _ count: Int) -> Tensor {
        Tensor(name: name, type: .F32, dimensions: [count], isOnes: true)
    }
}

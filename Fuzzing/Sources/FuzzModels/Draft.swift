import LeapBlocks
import LeapGGUF

/// A model file under construction: a valid one, changed by edits.
struct Draft {
    private let shape: Shape
    private let keys: [String]
    private var words: Words
    private var tensors: [Shape.Tensor] = []
    private var writer = GGUFWriter()

    /// The file with the edits applied; `nil` if it would be too large or cannot be written.
    static func encoded(_ edits: [Edit]) -> [UInt8]? {
        var shape = Shape()
        for edit in edits { shape.apply(edit) }
        var words = Words.standard(isSentencePiece: shape.isSentencePiece)
        for edit in edits { words.apply(edit) }
        guard shape.isSmall(vocabulary: words.tokens.count) else { return nil }
        var draft = Draft(shape, words)
        for edit in edits { draft.apply(edit) }
        guard var bytes = try? draft.encoded() else { return nil }
        for edit in edits where edit.kind == .byte { bytes[Int(edit.number) % bytes.count] = edit.choice }
        return bytes
    }

    /// The model that the edited file adapts, if it is an adapter.
    static func adaptedModel(_ edits: [Edit]) -> GGUFFile? {
        var shape = Shape()
        for edit in edits { shape.apply(edit) }
        return shape.kind == .specimen ? Specimen.adapted[shape.specimen.name]?.file : nil
    }

    private init(_ shape: Shape, _ words: Words) {
        self.shape = shape
        keys = KnownValues.keys(shape.architecture) + (shape.kind == .specimen ? shape.specimen.keys : [])
        self.words = words
        tensors = shape.tensors(vocabulary: words.tokens.count)
        writer.set("general.architecture", .string(shape.architecture))
        switch shape.kind {
        case .projector: shape.projector.setHyperParameters(&writer)
        case .ear: shape.ear.setHyperParameters(&writer)
        case .voice: shape.voice.setHyperParameters(&writer)
        case .specimen: writer.add(contentsOf: shape.specimen.file.metadata)
        case .llama, .lfm2:
            setHyperParameters()
            setVocabulary()
        }
    }
}

// MARK: - A valid model

extension Draft {
    private mutating func setHyperParameters() {
        let name = shape.architecture
        let numbers = [
            ("context_length", 512), ("embedding_length", shape.width), ("block_count", shape.blocks),
            ("feed_forward_length", shape.feedForward), ("attention.head_count", shape.heads),
            ("shortconv.l_cache", shape.taps),
        ]
        for (key, number) in numbers { writer.set("\(name).\(key)", .uint32(UInt32(number))) }
        // Optional keys are omitted, so that one edit is enough where an existing key would contradict it.
        if shape.heads * shape.headDimension != shape.width {
            writer.set("\(name).attention.key_length", .uint32(UInt32(shape.headDimension)))
        }
        if shape.headDimension % 2 == 1 {
            writer.set("\(name).rope.dimension_count", .uint32(UInt32(shape.headDimension - 1)))
        }
        writer.set("\(name).attention.layer_norm_rms_epsilon", .float32(1e-5))
        let heads = (0..<shape.blocks).map { shape.hasConvolution($0) ? 0 : Int32(shape.keyValueHeads) }
        writer.set("\(name).attention.head_count_kv", array: heads)
    }

    private mutating func setVocabulary() {
        writer.set("tokenizer.ggml.model", .string(shape.isSentencePiece ? "llama" : "gpt2"))
        if !shape.isSentencePiece { writer.set("tokenizer.ggml.pre", .string("lfm2")) }
        writer.set("tokenizer.ggml.tokens", utf8Strings: words.tokens)
        writer.set("tokenizer.ggml.token_type", array: words.types)
        writer.set("tokenizer.ggml.merges", utf8Strings: words.merges)
        if shape.isSentencePiece { writer.set("tokenizer.ggml.scores", array: words.scores) }
        writer.set("tokenizer.ggml.bos_token_id", .uint32(1))
        writer.set("tokenizer.ggml.eos_token_id", .uint32(2))
        writer.set("tokenizer.chat_template", .string(KnownValues.templates[0]))
    }

    private func encoded() throws -> [UInt8] {
        var writer = writer
        for tensor in tensors { try writer.addTensor(tensor.name, type: tensor.type, dimensions: tensor.dimensions) }
        return try writer.encoded { output in
            for (index, tensor) in tensors.enumerated() { try output.append(TensorData.bytes(of: tensor, seed: index)) }
        }
    }
}

// MARK: - Edits

extension Draft {
    private mutating func apply(_ edit: Edit) {
        let key = keys.chosen(by: edit.target)
        switch edit.kind {
        case .metadata: set(key, edit)
        case .missingKey: writer.remove(key)
        case .template: setTemplate(edit)
        case .dimensions, .tensorType, .data, .missingTensor: editTensor(edit)
        case .size, .weightType, .element, .token, .merge, .byte, .option: break
        }
    }

    private mutating func set(_ key: String, _ edit: Edit) {
        let integer = edit.number % 4 == 0 ? UInt64(edit.number / 4) : KnownValues.integers.chosen(by: edit.choice)
        let float = KnownValues.floats.chosen(by: edit.choice)
        switch edit.form % 14 {
        case 0: writer.set(key, .uint64(integer))
        case 1: writer.set(key, .int64(Int64(bitPattern: integer)))
        case 2, 3: writer.set(key, .uint32(UInt32(truncatingIfNeeded: integer)))
        case 4: writer.set(key, .int32(Int32(truncatingIfNeeded: integer)))
        case 5: writer.set(key, .uint8(UInt8(truncatingIfNeeded: integer)))
        case 6, 7: writer.set(key, .float32(Float(float)))
        case 8: writer.set(key, .float64(float))
        case 9: writer.set(key, .bool(integer % 2 == 1))
        case 10: writer.set(key, .string(KnownValues.texts.chosen(by: edit.choice)))
        case 11: writer.set(key, array: [UInt64](repeating: integer, count: Int(edit.number % 4)))
        case 12: writer.set(key, array: [Float](repeating: Float(float), count: words.tokens.count))
        default:
            writer.set(
                key, strings: (0..<edit.number % 9).map { KnownValues.texts.chosen(by: UInt32(edit.choice) + $0) })
        }
    }

    private mutating func setTemplate(_ edit: Edit) {
        let parts = [edit.choice, edit.form, UInt8(truncatingIfNeeded: edit.number)].prefix(1 + Int(edit.target % 3))
        writer.set("tokenizer.chat_template", .string(parts.map { KnownValues.templates.chosen(by: $0) }.joined()))
    }

    private mutating func editTensor(_ edit: Edit) {
        guard !tensors.isEmpty else { return }
        let index = Int(edit.target) % tensors.count
        switch edit.kind {
        case .dimensions: setDimensions(of: index, edit)
        case .tensorType: setType(of: index, GGMLType.allCases.chosen(by: edit.choice))
        case .data: tensors[index].damage.append((edit, Self.damage(edit)))
        default:
            if edit.form % 2 == 0 {
                tensors.remove(at: index)
            } else {
                tensors[index].name = "blk.\(edit.number % 4).\(KnownValues.texts.chosen(by: edit.choice).prefix(40))"
            }
        }
    }

    /// Elements that an edited tensor may have.
    private static let largestTensor = 1 << 16

    private mutating func setDimensions(of index: Int, _ edit: Edit) {
        var dimensions = tensors[index].dimensions
        switch edit.form % 5 {
        case 0: dimensions.reverse()
        case 1: dimensions.append(1)
        case 2: dimensions.insert(1, at: 0)
        case 3: dimensions[Int(edit.choice) % dimensions.count] = 1 + Int(edit.number % 700)
        default: dimensions = [dimensions.reduce(1, *)]
        }
        guard dimensions.reduce(1, *) <= Self.largestTensor, dimensions.count <= 4 else { return }
        tensors[index].dimensions = dimensions
        if !dimensions[0].isMultiple(of: tensors[index].type.elementsPerBlock) { tensors[index].type = .F32 }
    }

    private mutating func setType(of index: Int, _ type: GGMLType) {
        guard tensors[index].dimensions[0].isMultiple(of: type.elementsPerBlock) else { return }
        tensors[index].type = type
    }

    /// Numbers in single or half precision, or raw bytes.
    private static func damage(_ edit: Edit) -> [UInt8] {
        let float = Float(KnownValues.floats.chosen(by: edit.choice))
        switch edit.form % 4 {
        case 0: return [edit.choice]
        case 1: return withUnsafeBytes(of: UInt16(truncatingIfNeeded: edit.number).littleEndian) { Array($0) }
        case 2: return withUnsafeBytes(of: (float.bitPattern >> 16).littleEndian) { Array($0.prefix(2)) }
        default: return withUnsafeBytes(of: float.bitPattern.littleEndian) { Array($0) }
        }
    }
}

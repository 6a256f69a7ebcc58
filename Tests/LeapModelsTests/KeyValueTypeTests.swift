import LeapBlocks
import LeapGGUF
import LeapModels
import LeapOps
import Testing
import _LeapTestSupport

/// Keys and values of every type: as close to floats as the type allows, and with states that are forked, truncated,
/// restored and serialised exactly.
@Suite("Types of keys and values")
struct KeyValueTypeTests {
    /// Models whose heads are whole blocks of 32 elements.
    private static let models = ["lfm2-k-quants", "llama-q4_k", "llama-every-type"].map(Fixture.init)

    private static let types =
        KeyValueType.allCases.map { KeyValueTypes($0) } + [
            KeyValueTypes(keys: .q8_0, values: .f16), KeyValueTypes(keys: .f32, values: .q8_0),
        ]

    /// Tokens without a pattern, three whole segments and a part of one.
    private static let tokens = (0..<3 * StateSegment.length + 44).map { Int32(37 + $0 * $0 % 83) }

    /// How much the rounding of a number (relative to itself, in `q8_0` to the largest of its block) may change logits,
    /// relative to their size: it passes through a softmax, a mean and some layers, each of which adds its own error.
    private static func bound(_ types: KeyValueTypes, layers: Int = 4) -> Double {
        max(6, 1.5 * Double(layers)) * max(rounding(types.keys), rounding(types.values))
    }

    private static func rounding(_ type: KeyValueType) -> Double {
        switch type {
        case .f32: 0
        case .f16: 0x1p-12
        case .bf16: 0x1p-9
        case .q8_0: 1.0 / 254
        }
    }

    @Test(
        "logits are as close to exact as llama.cpp's, plus a bound for the type's rounding", arguments: Fixture.all,
        types)
    func logits(fixture: Fixture, types: KeyValueTypes) throws {
        let dimension = try TestModel(fixture).model.configuration.headDimension
        let blocks = max(types.keys.elementsPerBlock, types.values.elementsPerBlock)
        guard dimension.isMultiple(of: blocks) else { return }
        let reference = try FixtureReference(of: fixture)
        let model = try TestModel(fixture, types: types)
        let bound = Self.bound(types, layers: model.model.configuration.blockCount)
        for prompt in reference.prompts {
            let exact = reference.floats(prompt.logits)
            let size = rootMeanSquareError(exact, exact.map { _ in 0 })
            let error = rootMeanSquareError(try model.logits(after: prompt.tokens), exact)
            // Single prompts vary more than the mean of all, for which 1.1 is enough.
            #expect(error <= 1.5 * prompt.llamaCppError + bound * size + 1e-3, "prompt '\(prompt.name)'")
        }
    }

    @Test(
        "with float weights, logits differ by the type's rounding and no more",
        arguments: [
            "lfm2-tied-f32", "llama-tied-f32",
        ].map(Fixture.init), [KeyValueType.f16, .bf16])
    func rounding(fixture: Fixture, type: KeyValueType) throws {
        let exact = try TestModel(fixture).logits(after: Self.tokens, chunk: 128)
        let found = try TestModel(fixture, types: KeyValueTypes(type)).logits(after: Self.tokens, chunk: 128)
        let size = rootMeanSquareError(exact, exact.map { _ in 0 })
        let error = rootMeanSquareError(found, exact) / size
        #expect(error <= Self.bound(KeyValueTypes(type)))
        #expect(error >= Self.bound(KeyValueTypes(type)) / 1000)
    }

    @Test("single tokens read the keys and values that a prompt stored", arguments: models, types)
    func tokenByToken(fixture: Fixture, types: KeyValueTypes) throws {
        let model = try TestModel(fixture, types: types)
        let state = try model.makeState()
        _ = try model.logits(after: Array(Self.tokens.dropLast(40)), chunk: 128, state: state)
        let oneByOne = try model.logits(after: Array(Self.tokens.suffix(40)), chunk: 1, state: state)
        let atOnce = try model.logits(after: Self.tokens, chunk: 128)
        let size = rootMeanSquareError(atOnce, atOnce.map { _ in 0 })
        // Few rows use activations in 8 bits, many rows of some types use floats, so the error exceeds rounding.
        #expect(rootMeanSquareError(oneByOne, atOnce) <= 0.05 * size)
    }

    @Test("a fork continues like the original, bit for bit", arguments: models, types)
    func fork(fixture: Fixture, types: KeyValueTypes) throws {
        let model = try TestModel(fixture, types: types)
        let original = try model.makeState()
        _ = try model.logits(after: Array(Self.tokens.prefix(150)), state: original)
        let fork = original.fork()
        // The original writes other tokens than the fork into the block that both share.
        _ = try model.logits(after: [90, 91, 92], state: original)
        let fresh = try model.makeState()
        _ = try model.logits(after: Array(Self.tokens.prefix(150)), state: fresh)
        #expect(try model.logits(after: [60, 61], state: fork) == (try model.logits(after: [60, 61], state: fresh)))
    }

    @Test("a state restored from segments, or from their bytes, is bit-identical", arguments: models, types)
    func segments(fixture: Fixture, types: KeyValueTypes) throws {
        let model = try TestModel(fixture, types: types)
        let original = try model.makeState()
        var segments: [StateSegment] = []
        for start in [0, 128] {
            _ = try model.logits(after: Array(Self.tokens[start..<start + 128]), state: original)
            segments.append(try #require(original.finishedSegments().last))
        }
        let rest = Array(Self.tokens[256..<300])
        let expected = try model.logits(after: rest, state: original)

        let copies = try segments.map { segment in
            try #require(segment.bytes.withUnsafeBytes { original.makeSegment(copying: $0) })
        }
        #expect(copies.map { $0.bytes } == segments.map { $0.bytes })
        for segments in [segments, copies] {
            #expect(segments.allSatisfy { $0.keyValueTypes == types })
            let restored = try model.makeState()
            restored.restore(segments)
            #expect(restored.position == 256)
            #expect(try model.logits(after: rest, state: restored) == expected)
        }
    }

    @Test("a segment of other types is not restored, even if it has the same size", arguments: types)
    func otherTypes(types: KeyValueTypes) throws {
        let model = try TestModel(Self.models[0], types: types)
        let original = try model.makeState()
        _ = try model.logits(after: Array(Self.tokens.prefix(128)), state: original)
        let segment = try #require(original.finishedSegments().last)
        for other in Self.types where other != types {
            let state = try TestModel(Self.models[0], types: other).makeState()
            state.restore([segment])
            #expect(state.position == 0)
        }
    }

    @Test("the memory plan accounts for the types of keys and values", arguments: types)
    func memoryPlan(types: KeyValueTypes) throws {
        let model = try TestModel(Self.models[1], types: types)
        let configuration = model.model.configuration
        let elements = configuration.keyValueHeadCounts.reduce(0, +) * configuration.headDimension
        let bytes = types.keys.byteCount(elements: elements) + types.values.byteCount(elements: elements)
        let plan = try model.model.memoryPlan(contextSize: 256, model.compute)
        #expect(plan.stateBytes == 256 * bytes)
    }

    @Test("the default type is f16, and f32 for models with f32 weights")
    func defaults() throws {
        func types(_ name: String, _ keys: KeyValueType? = nil) throws -> KeyValueTypes {
            try LanguageModel.load(GGUFFile(path: Fixture(name: name).path), keyType: keys).keyValueTypes
        }
        #expect(try types("lfm2-k-quants") == KeyValueTypes(.f16))
        #expect(try types("lfm2-untied-f16") == KeyValueTypes(.f16))
        #expect(try types("llama-tied-f32") == KeyValueTypes(.f32))
        #expect(try types("lfm2-k-quants", .q8_0) == KeyValueTypes(keys: .q8_0, values: .f16))
    }

    @Test(
        "q8_0 is refused if the head size is not a multiple of 32, and the error names both types",
        arguments: [KeyValueTypes(.q8_0), .init(keys: .f16, values: .q8_0), .init(keys: .q8_0, values: .bf16)])
    func refused(types: KeyValueTypes) throws {
        let error = #expect(throws: ModelError.self) {
            _ = try TestModel(Fixture(name: "llama-tied-f32"), types: types)
        }
        #expect(
            error?.description == "keys of type \(types.keys) and values of type \(types.values) are not supported for "
                + "this model: q8_0 needs a head size that is a multiple of 32, but it is 14. Use f16, bf16 or f32")
    }
}

extension StateSegment {
    fileprivate var bytes: [UInt8] {
        var bytes: [UInt8] = []
        forEachPiece { bytes += $0 }
        return bytes
    }
}

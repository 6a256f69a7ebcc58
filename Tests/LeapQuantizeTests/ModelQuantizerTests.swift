import Foundation
import LeapBlocks
import LeapGGUF
import LeapModels
import LeapOps
import LeapQuantize
import Testing
import _LeapTestSupport

@Suite("Quantised files")
struct ModelQuantizerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "A quantised model's logits stay within the error limit of its type",
        arguments: [
            ("llama-rope-linear-f32", FileType.F16, 0.003), ("llama-rope-linear-f32", .BF16, 0.02),
            ("llama-rope-linear-f32", .Q8_0, 0.03), ("llama-rope-linear-f32", .Q5_1, 0.15),
            ("llama-rope-linear-f32", .Q4_0, 0.4), ("llama-biases-bf16", .Q8_0, 0.03), ("llama-q4_k", .F32, 0.03),
            ("llama-q4_k", .Q6_K, 0.05), ("llama-q4_k", .Q5_K_M, 0.1), ("llama-q4_k", .Q4_K_M, 0.1),
            ("llama-q4_k", .Q2_K, 0.8), ("llama-q4_k", .IQ4_XS, 0.3),
        ])
    func logits(name: String, fileType: FileType, limit: Double) throws {
        let fixture = Fixture(name: name)
        let path = folder.path("model.gguf")
        try quantize(fixture.path, fileType, to: path)
        let tokens = try #require(FixtureReference(of: fixture).prompts.first).tokens
        let before = try logits(fixture.path, tokens)
        let after = try logits(path, tokens)
        let size = (before.reduce(0) { $0 + Double($1 * $1) } / Double(before.count)).squareRoot()
        let error = EncoderTests.error(before, after) / size
        #expect(error <= limit, "\(error)")
    }

    @Test("Metadata is kept, except the file type and quantisation version")
    func metadata() throws {
        let source = try GGUFFile(path: Fixture(name: "lfm2-tied-f32").path)
        let path = folder.path("model.gguf")
        try quantize(source.path, .Q4_K_M, to: path)
        let result = try GGUFFile(path: path)
        #expect(try result.metadata.integer("general.file_type", in: 0...100) == FileType.Q4_K_M.rawValue)
        #expect(try result.metadata.integer("general.quantization_version", in: 0...100) == 2)
        for key in source.metadata.keys where !["general.file_type", "general.quantization_version"].contains(key) {
            let before = try #require(source.metadata.encodedValue(key))
            let after = try #require(result.metadata.encodedValue(key))
            #expect(before.elementsEqual(after), "\(key)")
        }
        #expect(result.tensors.map(\.name) == source.tensors.map(\.name))
        #expect(result.tensors.map(\.dimensions) == source.tensors.map(\.dimensions))
    }

    @Test(
        "Norms, filters and routers are copied, and every matrix has the planned type",
        arguments: ["lfm2-tied-f32", "lfm2moe-f32", "llama-rope-linear-f32"])
    func types(name: String) throws {
        let file = try GGUFFile(path: Fixture(name: name).path)
        let plan = try QuantizationPlan(file, QuantizationRecipe(.Q8_0))
        for conversion in plan.conversions {
            let tensor = conversion.tensor
            let isKept = ["norm", "shortconv.conv", "gate_inp", "bias"].contains { tensor.name.contains($0) }
            let fits = tensor.dimensions[0].isMultiple(of: 32)
            #expect(conversion.type == (isKept ? .F32 : fits ? .Q8_0 : .F16), "\(tensor.name)")
        }
        let path = folder.path("model.gguf")
        try ModelQuantizer(plan, threads: 1).write(to: path)
        let result = try GGUFFile(path: path)
        #expect(result.tensors.map(\.type) == plan.conversions.map(\.type))
        #expect(result.tensors.reduce(0) { $0 + $1.byteCount } == plan.byteCount)
    }

    @Test("The number of threads does not change a byte")
    func threads() throws {
        let source = Fixture(name: "llama-rope-linear-f32").path
        let plan = try QuantizationPlan(GGUFFile(path: source), QuantizationRecipe(.Q4_K_M))
        let files = try [1, 3].map { threads in
            let path = folder.path("\(threads).gguf")
            try ModelQuantizer(plan, threads: threads).write(to: path)
            return try Data(contentsOf: URL(filePath: path))
        }
        #expect(files[0] == files[1])
    }

    @Test("Rules override the mix, the first match counts, and types of embedding and output override rules")
    func rules() throws {
        let file = try GGUFFile(path: Fixture(name: "llama-rope-linear-f32").path)
        var recipe = QuantizationRecipe(.Q8_0)
        recipe.rules = [
            try TensorTypeRule(pattern: #"blk\.1\.ffn_down"#, type: .F16),
            try TensorTypeRule(pattern: "ffn_|token_embd", type: .Q4_0),
        ]
        recipe.outputType = .Q5_1
        let types = Dictionary(
            uniqueKeysWithValues: try QuantizationPlan(file, recipe).conversions.map { ($0.tensor.name, $0.type) })
        #expect(types["blk.0.ffn_down.weight"] == .Q4_0)
        #expect(types["blk.1.ffn_down.weight"] == .F16)
        #expect(types["blk.1.attn_q.weight"] == .Q8_0)
        #expect(types["token_embd.weight"] == .Q5_1)
        #expect(types["blk.0.ffn_norm.weight"] == .F32)
    }

    @Test("An output projection that is kept is copied, and rules for it are idle; a token embedding is never kept")
    func keptOutput() throws {
        func plan(_ name: String) throws -> QuantizationPlan {
            var recipe = QuantizationRecipe(.Q4_0)
            recipe.keepsOutput = true
            recipe.rules = [try TensorTypeRule(pattern: "^output.weight", type: .Q8_0)]
            return try QuantizationPlan(GGUFFile(path: Fixture(name: name).path), recipe)
        }
        func type(_ name: String, _ plan: QuantizationPlan) -> GGMLType? {
            plan.conversions.first { $0.tensor.name == name }?.type
        }
        let untied = try plan("llama-untied-rope-factors-f32")
        #expect(type("output.weight", untied) == .F32 && type("blk.0.ffn_up.weight", untied) != .F32)
        #expect(untied.idleRules.count == 1)
        let tied = try plan("llama-rope-linear-f32")
        #expect(type("token_embd.weight", tied).map { $0 != .F32 } == true)
    }

    @Test("Rules without a matching tensor are listed, and tensors with a fallback type are counted")
    func idle() throws {
        let file = try GGUFFile(path: Fixture(name: "llama-rope-linear-f32").path)
        var recipe = QuantizationRecipe(.Q8_0)
        // The second matches only tensors that are copied.
        recipe.rules = try ["ffn_", "ffn_norm", "attn_x"].map { try TensorTypeRule(pattern: $0, type: .Q4_0) }
        let plan = try QuantizationPlan(file, recipe)
        #expect(plan.idleRules.map(\.pattern) == ["ffn_norm", "attn_x"])
        #expect(plan.fallbackCount == 0)
        let matrices = try QuantizationPlan(file, QuantizationRecipe(.Q8_0)).conversions.count { $0.type == .Q8_0 }
        let mixed = try QuantizationPlan(file, QuantizationRecipe(.Q4_K_M))
        #expect(mixed.fallbackCount > 0 && mixed.fallbackCount <= matrices)
        #expect(try QuantizationPlan(file, QuantizationRecipe(.F16)).fallbackCount == 0)
    }

    @Test("A pure mix uses a single type for matrices")
    func pure() throws {
        let file = try GGUFFile(path: Fixture(name: "llama-rope-linear-f32").path)
        var recipe = QuantizationRecipe(.Q5_0)
        recipe.isPure = true
        let types = Set(try QuantizationPlan(file, recipe).conversions.map(\.type))
        #expect(types == [.F32, .Q5_0])
    }

    @Test("A pure MXFP4 mix uses it for all matrices, even without experts")
    func pureExperts() throws {
        let file = try GGUFFile(path: Fixture(name: "llama-rope-linear-f32").path)
        var recipe = QuantizationRecipe(.MXFP4_MOE)
        recipe.isPure = true
        let types = Set(try QuantizationPlan(file, recipe).conversions.map(\.type))
        #expect(types == [.F32, .MXFP4])
    }

    @Test("Requantising is refused unless allowed")
    func requantizing() throws {
        let file = try GGUFFile(path: Fixture(name: "lfm2-chat-q8_0").path)
        var recipe = QuantizationRecipe(.Q4_0)
        #expect(throws: QuantizationError.self) { try QuantizationPlan(file, recipe) }
        recipe.allowsRequantizing = true
        let plan = try QuantizationPlan(file, recipe)
        #expect(plan.byteCount < file.tensors.reduce(0) { $0 + $1.byteCount })
    }
}

// MARK: - Faults

extension ModelQuantizerTests {
    @Test("Rows that are not whole blocks are refused, and the error names the tensor")
    func partialBlocks() throws {
        let file = try model(columns: 96, values: [Float](repeating: 1, count: 96 * 2))
        var recipe = QuantizationRecipe(.Q8_0)
        recipe.rules = [try TensorTypeRule(pattern: "ffn_up", type: .Q4_K)]
        let expected = QuantizationError.partialBlock(tensor: "blk.0.ffn_up.weight", type: .Q4_K, columns: 96)
        #expect(throws: expected) { try QuantizationPlan(file, recipe) }
        #expect(expected.description.contains("96"))
    }

    @Test(
        "A weight that is not finite is an error with its position, and no file is left behind",
        arguments: [Float.nan, .infinity])
    func notFinite(value: Float) throws {
        var values = [Float](repeating: 1, count: 64 * 3)
        values[64 + 5] = value
        let plan = try QuantizationPlan(model(columns: 64, values: values), QuantizationRecipe(.Q4_0))
        let path = folder.path("model.gguf")
        let error = try #require(throws: QuantizationError.self) {
            try ModelQuantizer(plan, threads: 2).write(to: path)
        }
        #expect(error.description.contains("blk.0.ffn_up.weight"))
        #expect(error.description.contains("row 1, column 5"))
        #expect(try folder.content == [])
    }

    @Test("A weight beyond the range of F16 is an error with its position")
    func beyondHalf() throws {
        var values = [Float](repeating: 1, count: 64 * 3)
        values[130] = -70_000
        let plan = try QuantizationPlan(model(columns: 64, values: values), QuantizationRecipe(.F16))
        let error = try #require(throws: QuantizationError.self) {
            try ModelQuantizer(plan, threads: 1).write(to: folder.path("model.gguf"))
        }
        #expect(error.description.contains("row 2, column 2"))
        #expect(error.description.contains("BF16"))
    }

    @Test(
        "A weight beyond a block type's range is an error with its position; the largest valid one is kept",
        arguments: [
            (GGMLType.Q4_0, 5.2e5), (.Q5_0, 1.04e6), (.Q4_1, 6.5e4), (.Q5_1, 6.5e4), (.Q8_0, 8.3e6), (.Q2_K, 9.8e5),
            (.Q3_K, 8.3e6), (.Q4_K, 4.1e6), (.Q5_K, 4.1e6), (.Q6_K, 2.6e8), (.IQ4_NL, 8.3e6), (.IQ4_XS, 2.6e8),
        ] as [(GGMLType, Float)])
    func beyondBlocks(type: GGMLType, largest: Float) throws {
        var recipe = QuantizationRecipe(.F32)
        recipe.rules = [try TensorTypeRule(pattern: "ffn_up", type: type)]
        for isThorough in [false, true] {
            recipe.isThorough = isThorough
            for sign in [Float(1), -1] {
                var values = (0..<512).map { Float($0 % 5) * 0.01 * largest }
                values[300] = sign * largest
                let path = folder.path("model.gguf")
                try ModelQuantizer(QuantizationPlan(model(columns: 256, values: values), recipe), threads: 1)
                    .write(to: path)
                let tensor = try #require(GGUFFile(path: path).tensor(named: "blk.0.ffn_up.weight"))
                let found = try #require(type.block).values(
                    at: try #require(tensor.bytes.baseAddress), blocks: 512 / type.elementsPerBlock)
                #expect(abs(found[300] - values[300]) <= 0.15 * largest, "\(found[300])")
                values[300] = sign * largest * 1.05
                let plan = try QuantizationPlan(model(columns: 256, values: values), recipe)
                let error = try #require(throws: QuantizationError.self) {
                    try ModelQuantizer(plan, threads: 1).write(to: folder.path("other.gguf"))
                }
                #expect(error.description.contains("row 1, column 44"))
            }
        }
    }

    @Test("A weight that rounds to infinity in BF16 is an error with its position")
    func beyondBrainFloat() throws {
        for (value, isValid) in [
            (Float(0x1.FEFFp127), true), (Float(0x1.FFp127), false), (-.greatestFiniteMagnitude, false),
        ] {
            var values = [Float](repeating: 1, count: 64 * 3)
            values[130] = value
            let plan = try QuantizationPlan(model(columns: 64, values: values), QuantizationRecipe(.BF16))
            let quantizer = ModelQuantizer(plan, threads: 1)
            if isValid {
                try quantizer.write(to: folder.path("model.gguf"))
            } else {
                let error = #expect(throws: QuantizationError.self) {
                    try quantizer.write(to: folder.path("other.gguf"))
                }
                #expect(error?.description.contains("row 2, column 2") == true)
            }
        }
    }

    @Test("An invalid regular expression or an unwritable type is refused")
    func badRules() {
        #expect(throws: QuantizationError.pattern("(")) { try TensorTypeRule(pattern: "(", type: .Q8_0) }
        #expect(throws: QuantizationError.unwritableType(.IQ2_XS)) { try TensorTypeRule(pattern: "a", type: .IQ2_XS) }
    }
}

// MARK: - Importance

extension ModelQuantizerTests {
    @Test("An importance matrix shifts errors to less important columns")
    func importance() throws {
        let values = EncoderTests.normal(count: 64 * 64, deviation: 0.05)
        let sums = (0..<64).map { Float($0 < 8 ? 1000 : 1) }
        let importance = try ImportanceMatrix(path: matrix(sums: sums))
        #expect(importance.names == ["blk.0.ffn_up.weight"])
        let plan = try QuantizationPlan(model(columns: 64, values: values), QuantizationRecipe(.Q4_0))
        let errors = try [nil, importance].map { importance in
            let path = folder.path("model.gguf")
            try ModelQuantizer(plan, importance: importance, threads: 1).write(to: path)
            let tensor = try #require(GGUFFile(path: path).tensor(named: "blk.0.ffn_up.weight"))
            let found = BlockQ4_0.values(at: try #require(tensor.bytes.baseAddress), blocks: values.count / 32)
            return EncoderTests.error(values, found, values.indices.map { sums[$0 % 64] })
        }
        #expect(errors[1] < 0.95 * errors[0])
        let result = try GGUFFile(path: folder.path("model.gguf"))
        #expect(try result.metadata.integer("quantize.imatrix.entries_count", in: 0...9) == 1)
    }

    @Test("An importance matrix of another model is refused")
    func foreignImportance() throws {
        let importance = try ImportanceMatrix(path: matrix(sums: [Float](repeating: 1, count: 96)))
        let values = EncoderTests.normal(count: 64 * 64, deviation: 0.05)
        let plan = try QuantizationPlan(model(columns: 64, values: values), QuantizationRecipe(.Q4_0))
        #expect(throws: QuantizationError.self) { try importance.check(plan) }
        #expect(throws: QuantizationError.self) {
            try ModelQuantizer(plan, importance: importance, threads: 1).write(to: folder.path("model.gguf"))
        }
        #expect(throws: QuantizationError.self) { try ImportanceMatrix(path: Fixture(name: "llama-tied-f32").path) }
        #expect(throws: QuantizationError.self) { try ImportanceMatrix(path: matrix(sums: [1, .nan])) }
    }

    private func matrix(sums: [Float]) throws -> String {
        var writer = GGUFWriter()
        writer.set("general.type", .string("imatrix"))
        try writer.addTensor("blk.0.ffn_up.weight.in_sum2", type: .F32, dimensions: [sums.count, 1])
        try writer.addTensor("blk.0.ffn_up.weight.counts", type: .F32, dimensions: [1, 1])
        let path = folder.path("matrix-\(sums.count).gguf")
        try writer.write(to: path) { output in
            try output.append(sums)
            try output.append([Float(4)])
        }
        return path
    }
}

// MARK: - Files

extension ModelQuantizerTests {
    private func quantize(_ source: String, _ fileType: FileType, to path: String) throws {
        var recipe = QuantizationRecipe(fileType)
        recipe.allowsRequantizing = true
        let plan = try QuantizationPlan(GGUFFile(path: source), recipe)
        try ModelQuantizer(plan, threads: 2).write(to: path)
    }

    /// A file of one matrix.
    private func model(columns: Int, values: [Float]) throws -> GGUFFile {
        var writer = GGUFWriter()
        writer.set("general.architecture", .string("llama"))
        try writer.addTensor("blk.0.ffn_up.weight", type: .F32, dimensions: [columns, values.count / columns])
        return try GGUFFile(bytes: writer.encoded { try $0.append(values) }, name: "model.gguf")
    }

    private func logits(_ path: String, _ tokens: [Int32]) throws -> [Float] {
        let model = try LanguageModel.load(GGUFFile(path: path))
        var batch = Batch(of: .prompt)
        batch.append(tokens: tokens[...], to: try model.makeState(capacity: 512), wantsLogits: true)
        var result: [Float] = []
        try model.forward(batch, Compute()) { logits in result = Array(logits[0]) }
        return result
    }
}

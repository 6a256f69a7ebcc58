import LeapBlocks
import LeapGGUF
import LeapQuantize
import Testing
import _LeapTestSupport

/// Which tensors get more bits in a mix, for several naming schemes of tensors.
@Suite("Tensor roles")
struct TensorRolesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The blocks whose tensor of a name gets a type, in a model of sixteen blocks by default.
    private func blocks(
        of name: String, with type: GGMLType, _ recipe: QuantizationRecipe, tensors: [String], keyHeads: [UInt32] = [2],
        count: Int = 16, architecture: String = "made", experts: UInt32? = nil
    ) throws -> [Int] {
        var writer = GGUFWriter()
        writer.set("general.architecture", .string(architecture))
        writer.set("\(architecture).block_count", .uint32(UInt32(count)))
        writer.set("\(architecture).attention.head_count", .uint32(8))
        if !keyHeads.isEmpty { writer.set("\(architecture).attention.head_count_kv", array: keyHeads) }
        if let experts { writer.set("\(architecture).expert_count", .uint32(experts)) }
        let names = (0..<count).flatMap { block in tensors.map { "blk.\(block).\($0).weight" } }
        for name in names { try writer.addTensor(name, type: .F32, dimensions: [256, 2]) }
        let path = folder.path("model.gguf")
        let zeros = [UInt8](repeating: 0, count: 256 * 2 * 4)
        try writer.write(to: path) { output in
            for _ in names { try zeros.withUnsafeBytes { try output.append($0) } }
        }
        let plan = try QuantizationPlan(GGUFFile(path: path), recipe)
        return (0..<count).filter { block in
            plan.conversions.contains { $0.tensor.name == "blk.\(block).\(name).weight" && $0.type == type }
        }
    }

    /// The first and the last eighth of sixteen blocks, and every third between.
    private let more = [0, 1, 4, 7, 10, 13, 14, 15]

    @Test("A joint QKV matrix is treated as values")
    func joint() throws {
        let found = try blocks(
            of: "attn_qkv", with: .Q6_K, QuantizationRecipe(.Q4_K_M), tensors: ["attn_qkv", "ffn_down"])
        #expect(found == more)
    }

    @Test("Routed and shared experts count as one block", arguments: ["ffn_down_exps", "ffn_down_shexp"])
    func experts(name: String) throws {
        let found = try blocks(
            of: name, with: .Q6_K, QuantizationRecipe(.Q4_K_M), tensors: ["ffn_down_exps", "ffn_down_shexp"])
        #expect(found == more)
    }

    @Test("Experts with separate tensors, as in old files, count as one block")
    func singleExperts() throws {
        let found = try blocks(
            of: "ffn_down.1", with: .Q6_K, QuantizationRecipe(.Q4_K_M), tensors: ["ffn_down.0", "ffn_down.1"],
            experts: 2)
        #expect(found == more)
    }

    @Test("Keys get eight bits in models with exactly eight experts", arguments: [2, 8, 16] as [UInt32])
    func eightExperts(count: UInt32) throws {
        let found = try blocks(
            of: "attn_k", with: .Q8_0, QuantizationRecipe(.Q4_K_M), tensors: ["attn_k", "ffn_down_exps"], experts: count
        )
        #expect(found == (count == 8 ? Array(0..<16) : []))
    }

    @Test(
        "70B models are recognised by the block count and grouped heads",
        arguments: [
            ("llama", 80, 1, 80), ("llama", 80, 8, 0), ("llama", 80, nil, 0), ("llama", 64, 1, 0), ("qwen2", 80, 8, 80),
        ])
    func seventyBillion(architecture: String, count: Int, keyHeads: UInt32?, expected: Int) throws {
        let found = try blocks(
            of: "attn_v", with: .Q5_K, QuantizationRecipe(.Q3_K_S), tensors: ["attn_v"],
            keyHeads: keyHeads.map { [$0] } ?? [], count: count, architecture: architecture)
        #expect(found.count == expected)
    }

    @Test("The type of values depends on the key heads of the first block, which may have none")
    func heads() throws {
        func found(_ keyHeads: [UInt32]) throws -> [Int] {
            try blocks(
                of: "attn_v", with: .Q5_K, QuantizationRecipe(.IQ4_XS), tensors: ["attn_v"], keyHeads: keyHeads)
        }
        #expect(try found([2]) == Array(0..<16))
        #expect(try found([0] + Array(repeating: 2, count: 15)) == [])
    }

    @Test(
        "An importance matrix changes the mixes that depend on having one",
        arguments: [(FileType.IQ4_XS, GGMLType.Q5_K, true), (.Q4_0, .Q4_1, false), (.Q5_0, .Q5_1, false)])
    func importance(fileType: FileType, type: GGMLType, isWithout: Bool) throws {
        for hasImportance in [false, true] {
            var recipe = QuantizationRecipe(fileType)
            recipe.hasImportance = hasImportance
            let found = try blocks(of: "ffn_down", with: type, recipe, tensors: ["ffn_down"])
            #expect(found == (hasImportance == isWithout ? [] : [0, 1]))
        }
    }
}

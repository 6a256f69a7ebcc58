import LeapBlocks
import LeapQuantize
import Testing

@Suite("File types and their tensor mixes")
struct FileTypeTests {
    @Test("File types are found by name, lower-case name and number", arguments: FileType.allCases)
    func names(type: FileType) {
        #expect(FileType(name: type.name) == type)
        #expect(FileType(name: type.name.lowercased()) == type)
        #expect(FileType(rawValue: type.rawValue) == type)
    }

    @Test(
        "A report spells file types as llama-bench does",
        arguments: [
            (FileType.F32, "all F32"), (.F16, "F16"), (.Q4_0, "Q4_0"), (.Q2_K, "Q2_K - Medium"),
            (.Q4_K_M, "Q4_K - Medium"), (.Q5_K_S, "Q5_K - Small"), (.Q3_K_L, "Q3_K - Large"), (.Q6_K, "Q6_K"),
            (.IQ4_XS, "IQ4_XS - 4.25 bpw"), (.MXFP4_MOE, "MXFP4 MoE"),
        ])
    func reportNames(type: FileType, expected: String) {
        #expect(type.reportName == expected)
    }

    @Test("Norms, filters, RoPE factors, routers and biases stay in F32", arguments: FileType.allCases)
    func singlePrecision(type: FileType) {
        for role in [TensorRole.norm, .filter, .rotaryFactors, .router, .bias] {
            #expect(type.tensorType(of: role, columns: 2048, in: MixedModel(queriesPerKey: 4)) == .F32)
        }
    }

    @Test(
        "Each super-block type has a small-block fallback for rows of 576",
        arguments: [
            (FileType.Q2_K, GGMLType.Q4_0), (.Q3_K_S, .Q4_0), (.Q4_K_S, .Q5_0), (.Q5_K_S, .Q5_1), (.Q6_K, .Q8_0),
            (.IQ4_XS, .IQ4_NL), (.Q8_0, .Q8_0),
        ])
    func fallbacks(fileType: FileType, expected: GGMLType) {
        #expect(fileType.tensorType(of: .matrix, columns: 576, in: MixedModel(queriesPerKey: 3)) == expected)
        #expect(fileType.tensorType(of: .matrix, columns: 576 + 16, in: MixedModel(queriesPerKey: 3)) == .F16)
    }

    @Test("Values shared by many query heads get more bits", arguments: [FileType.Q2_K, .IQ4_NL, .IQ4_XS])
    func sharedValues(fileType: FileType) {
        let value = TensorRole.value(index: 5, count: 16)
        let few = fileType.tensorType(of: value, columns: 2048, in: MixedModel(queriesPerKey: 3))
        let many = fileType.tensorType(of: value, columns: 2048, in: MixedModel(queriesPerKey: 4))
        #expect(many.bytesPerBlock * few.elementsPerBlock > few.bytesPerBlock * many.elementsPerBlock)
    }

    @Test(
        "With eight experts, values and keys are Q8_0, and most mixes raise attention outputs to Q5_K",
        arguments: [
            (FileType.Q2_K, GGMLType.Q5_K), (.Q3_K_S, .Q5_K), (.Q3_K_M, .Q5_K), (.Q3_K_L, .Q3_K), (.Q4_K_S, .Q5_K),
            (.Q4_K_M, .Q5_K), (.Q5_K_M, .Q5_K), (.Q6_K, .Q6_K), (.IQ4_NL, .Q5_K), (.IQ4_XS, .Q5_K), (.Q4_0, .Q4_0),
            (.MXFP4_MOE, .Q8_0),
        ])
    func eightExperts(fileType: FileType, output: GGMLType) {
        let model = MixedModel(queriesPerKey: 4, hasEightExperts: true)
        #expect(fileType.tensorType(of: .value(index: 5, count: 16), columns: 2048, in: model) == .Q8_0)
        #expect(fileType.tensorType(of: .key, columns: 2048, in: model) == .Q8_0)
        #expect(fileType.tensorType(of: .attentionOutput, columns: 2048, in: model) == output)
    }

    @Test(
        "Values with an eighth of the query heads get at least five bits in most mixes",
        arguments: [
            (FileType.Q2_K, GGMLType.Q5_K), (.Q3_K_S, .Q5_K), (.Q3_K_M, .Q5_K), (.Q4_K_S, .Q5_K), (.Q4_K_M, .Q5_K),
            (.Q5_K_S, .Q5_K), (.Q6_K, .Q6_K), (.IQ4_XS, .Q5_K), (.Q4_0, .Q4_0),
        ])
    func smallValues(fileType: FileType, expected: GGMLType) {
        let model = MixedModel(queriesPerKey: 8, hasSmallValues: true)
        // A block to which no mix gives more bits.
        #expect(fileType.tensorType(of: .value(index: 11, count: 80), columns: 8192, in: model) == expected)
    }

    @Test("A medium mix gives more bits to the first and last eighth of blocks and every third between")
    func mediumMix() {
        let more = (0..<16).filter {
            FileType.Q4_K_M.tensorType(of: .down(index: $0, count: 16), columns: 2048, in: MixedModel(queriesPerKey: 4))
                == .Q6_K
        }
        #expect(more == [0, 1, 4, 7, 10, 13, 14, 15])
    }
}

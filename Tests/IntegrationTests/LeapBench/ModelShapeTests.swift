import LeapBlocks
import LeapQuantize
import Testing

@testable import leap_bench

@Suite("Shapes and type mixes of synthetic models")
struct ModelShapeTests {
    @Test(
        "A shape has as many parameters as the published model",
        arguments: [
            ("lfm2-350m", 354_483_968), ("lfm2-700m", 742_489_344), ("lfm2-1.2b", 1_170_340_608),
            ("lfm2-2.6b", 2_569_272_320),
            // The published count leaves out the biases of the expert selection.
            ("lfm2-8b-a1b", 8_339_929_856 + 22 * 32),
            // The published counts of Llama 3 leave out the RoPE frequency factors.
            ("llama-3.2-1b", 1_235_814_400 + 32), ("llama-3.2-3b", 3_212_749_824 + 64),
            ("llama-3.1-8b", 8_030_261_248 + 64), ("smollm2-135m", 134_515_008), ("smollm2-360m", 361_821_120),
            ("smollm2-1.7b", 1_711_376_384), ("qwen3-0.6b", 596_049_920), ("qwen3.5-0.8b", 752_393_024),
            ("gemma-3-1b", 999_885_952),
            // The model card says 20.91 and 116.83 billion.
            ("gpt-oss-20b", 20_914_757_184), ("gpt-oss-120b", 116_829_156_672),
        ])
    func parameters(name: String, expected: Int) throws {
        let shape = try #require(ModelShape.named(name))
        #expect(shape.tensors.reduce(0) { $0 + $1.elementCount } == expected)
        #expect(Set(shape.tensors.map(\.name)).count == shape.tensors.count)
    }

    /// The tensors of a type in a file, by what is between `blk.` and `.weight`.
    private func tensors(_ type: GGMLType, _ shape: String, _ fileType: FileType) throws -> [String] {
        let model = SyntheticModel(shape: try #require(ModelShape.named(shape)), fileType: fileType, seed: 1)
        return model.shape.tensors.filter { model.type(of: $0) == type }.map {
            $0.name.replacing("blk.", with: "").replacing(".weight", with: "")
        }
    }

    @Test("LFM2-1.2B Q4_K_M uses Q6_K for the embedding and for some ffn_down and attn_v")
    func lfm2Q4KM() throws {
        let expected = [0, 1, 4, 7, 10, 13, 14, 15].map { "\($0).ffn_down" } + ["8.attn_v", "14.attn_v", "token_embd"]
        #expect(Set(try tensors(.Q6_K, "lfm2-1.2b", .Q4_K_M)) == Set(expected))
        let four = try tensors(.Q4_K, "lfm2-1.2b", .Q4_K_M)
        #expect(four.contains("0.shortconv.in_proj") && four.contains("2.attn_q") && four.contains("2.attn_v"))
        let floats = try tensors(.F32, "lfm2-1.2b", .Q4_K_M)
        #expect(floats.contains("0.shortconv.conv") && floats.contains("2.attn_q_norm"))
        #expect(floats.contains("token_embd_norm"))
    }

    @Test("LFM2-8B-A1B Q4_K_M uses Q6_K for some experts, and F32 for routers")
    func expertsQ4KM() throws {
        let six = try tensors(.Q6_K, "lfm2-8b-a1b", .Q4_K_M)
        #expect(six.contains("0.ffn_down") && six.contains("2.ffn_down_exps") && six.contains("23.ffn_down_exps"))
        let four = try tensors(.Q4_K, "lfm2-8b-a1b", .Q4_K_M)
        #expect(four.contains("2.ffn_gate_exps") && four.contains("1.ffn_up") && four.contains("3.ffn_down_exps"))
        let floats = try tensors(.F32, "lfm2-8b-a1b", .Q4_K_M)
        #expect(floats.contains("2.ffn_gate_inp") && floats.contains("23.exp_probs_b.bias"))
        #expect(!floats.contains("1.ffn_gate_inp"))
    }

    @Test("gpt-oss uses MXFP4 for experts, and F32 for sinks and biases")
    func expertsMXFP4() throws {
        let four = try tensors(.MXFP4, "gpt-oss-20b", .MXFP4_MOE)
        #expect(four.count == 3 * 24 && four.allSatisfy { $0.hasSuffix("_exps") })
        let eight = try tensors(.Q8_0, "gpt-oss-20b", .MXFP4_MOE)
        #expect(eight.count == 4 * 24 + 2 && eight.contains("output") && eight.contains("7.attn_v"))
        let floats = try tensors(.F32, "gpt-oss-20b", .MXFP4_MOE)
        #expect(floats.contains("3.attn_sinks") && floats.contains("3.ffn_up_exps.bias"))
    }

    @Test("Llama-3.2-1B Q4_K_S uses Q5_K for the first ffn_down and attn_v")
    func llamaQ4KS() throws {
        let expected = ["0.ffn_down", "1.ffn_down", "0.attn_v", "1.attn_v", "2.attn_v", "3.attn_v"]
        #expect(Set(try tensors(.Q5_K, "llama-3.2-1b", .Q4_K_S)) == Set(expected))
        #expect(try tensors(.Q6_K, "llama-3.2-1b", .Q4_K_S) == ["token_embd"])
    }

    @Test("SmolLM2-135M Q4_K_M falls back to small blocks, as rows of 576 do not divide into super-blocks")
    func smolLM2Q4KM() throws {
        let small = try tensors(.Q5_0, "smollm2-135m", .Q4_K_M)
        #expect(small.contains("0.ffn_gate") && small.contains("0.attn_q") && small.contains("29.attn_output"))
        // In place of Q6_K.
        let eight = try tensors(.Q8_0, "smollm2-135m", .Q4_K_M)
        #expect(eight.contains("token_embd") && eight.contains("0.attn_v"))
        // ffn_down has 1536 columns.
        let four = try tensors(.Q4_K, "smollm2-135m", .Q4_K_M)
        let six = try tensors(.Q6_K, "smollm2-135m", .Q4_K_M)
        #expect((four + six).count == 30)
        #expect((four + six).allSatisfy { $0.hasSuffix("ffn_down") })
    }

    @Test(
        "Plain mixes have one type, except for an output projection of Q6_K below Q8_0",
        arguments: [
            (FileType.Q4_0, GGMLType.Q4_0, GGMLType.Q6_K), (.Q4_1, .Q4_1, .Q6_K), (.Q5_0, .Q5_0, .Q6_K),
            (.Q6_K, .Q6_K, .Q6_K), (.Q8_0, .Q8_0, .Q8_0), (.F16, .F16, .F16), (.BF16, .BF16, .BF16),
            (.F32, .F32, .F32), (.IQ4_XS, .IQ4_XS, .Q6_K),
        ])
    func plainMixes(fileType: FileType, matrix: GGMLType, output: GGMLType) throws {
        #expect(try tensors(matrix, "lfm2-1.2b", fileType).contains("5.ffn_gate"))
        #expect(try tensors(output, "lfm2-1.2b", fileType).contains("token_embd"))
        // An embedding beside an output projection is like any other matrix.
        #expect(try tensors(matrix, "llama-3.1-8b", fileType).contains("token_embd"))
        #expect(try tensors(output, "llama-3.1-8b", fileType).contains("output"))
    }

    @Test(
        "A vocabulary has its declared size, unique tokens, all bytes, and valid merges",
        arguments: [Vocabulary.lfm2, .llama3, .smolLM2, .gptOSS])
    func vocabularies(vocabulary: Vocabulary) {
        let tokens = vocabulary.tokens
        let unique = Set(tokens)
        #expect(tokens.count == vocabulary.size)
        #expect(unique.count == vocabulary.size)
        #expect(unique.isSuperset(of: ByteAlphabet.inOrder))
        #expect(Set(ByteAlphabet.inOrder).count == 256)
        #expect(tokens[vocabulary.endOfTurn].hasPrefix("<|"))
        #expect(vocabulary.tokenTypes[vocabulary.beginOfText] == 3)
        #expect(vocabulary.merges.count == 200)
        for merge in vocabulary.merges {
            let parts = merge.split(separator: " ").map(String.init)
            #expect(parts.count == 2 && unique.contains(parts[0]) && unique.contains(parts[1]))
            #expect(unique.contains(parts.joined()))
        }
    }

    @Test("RoPE frequency factors rise from 1 for short wavelengths to the scale for long ones")
    func rotaryFactors() throws {
        let factors = try #require(ModelShape.named("llama-3.2-1b")).rotaryFactors
        #expect(factors.count == 32)
        #expect(factors.first == 1)
        #expect(factors.last == 32)
        #expect(zip(factors, factors.dropFirst()).allSatisfy { $0 <= $1 })
    }
}

import LeapGGUF
import LeapModels
import Testing
import _LeapTestSupport

extension LoadingTests {
    private static let qwen35 = "qwen35-f32"
    private static let qwen35moe = "qwen35moe-f32"

    /// Contradictions that only files with the gated delta rule can have.
    static let deltaNetChanges: [Change] = [
        Change(qwen35, "no head width", says: "qwen35.ssm.state_size") {
            $0.removed.insert("qwen35.ssm.state_size")
        },
        Change(
            qwen35, "key heads that do not divide the value heads",
            says: "ssm.time_step_rank is 4, but must be a multiple of"
        ) {
            $0.values["qwen35.ssm.group_count"] = .uint32(3)
        },
        Change(
            qwen35, "another total width of the heads", says: "ssm.inner_size is 81, but must be 80 for 4 heads of 20"
        ) {
            $0.add(1, to: "qwen35.ssm.inner_size")
        },
        Change(qwen35, "more key heads", says: "tensor 'blk.0.attn_qkv.weight' has shape [22, 160], but") {
            $0.values["qwen35.ssm.group_count"] = .uint32(4)
        },
        Change(qwen35, "more taps", says: "tensor 'blk.0.ssm_conv1d.weight' has shape [4, 160], but") {
            $0.add(1, to: "qwen35.ssm.conv_kernel")
        },
        Change(qwen35, "no taps", says: "qwen35.ssm.conv_kernel") { $0.values["qwen35.ssm.conv_kernel"] = .uint32(0) },
        Change(qwen35, "attention in other layers", says: "tensor 'blk.1.attn_q_norm.weight' is missing") {
            $0.values["qwen35.full_attention_interval"] = .uint32(2)
        },
        Change(qwen35, "attention in no layer", says: "qwen35.full_attention_interval") {
            $0.values["qwen35.full_attention_interval"] = .uint32(0)
        },
        Change(qwen35, "attention in all layers", says: "tensor 'blk.0.attn_q_norm.weight' is missing") {
            $0.values["qwen35.attention.recurrent_layers"] = .uint32(0)
        },
        Change(qwen35, "no decay", says: "tensor 'blk.0.ssm_a' is missing") {
            $0.removedTensors.insert("blk.0.ssm_a")
        },
        Change(qwen35, "no output gate", says: "tensor 'blk.3.attn_gate.weight' is missing") {
            $0.removedTensors.insert("blk.3.attn_gate.weight")
        },
        Change(qwen35, "only multi-token-prediction blocks", says: "qwen35.nextn_predict_layers") {
            $0.values["qwen35.nextn_predict_layers"] = .uint32(6)
        },
        Change(llama, "multi-token-prediction blocks", says: "llama.nextn_predict_layers = 1 is not supported") {
            $0.values["llama.nextn_predict_layers"] = .uint32(1)
        },
        Change(qwen35moe, "no shared expert", says: "tensor 'blk.0.ffn_gate_shexp.weight' is missing") {
            $0.removedTensors.insert("blk.0.ffn_gate_shexp.weight")
        },
        Change(qwen35moe, "no shared-expert gate", says: "tensor 'blk.1.ffn_gate_inp_shexp.weight' is missing") {
            $0.removedTensors.insert("blk.1.ffn_gate_inp_shexp.weight")
        },
        Change(qwen35moe, "a wider shared expert", says: "tensor 'blk.0.ffn_gate_shexp.weight' has shape [18, 22], but")
        {
            $0.add(1, to: "qwen35moe.expert_shared_feed_forward_length")
        },
    ]

    @Test("multi-token-prediction blocks after the layers are ignored")
    func multiTokenPredictionBlocks() throws {
        let file = try GGUFFile(path: Fixture(name: Self.qwen35).path)
        var (predicting, shorter) = (EditedFile(file), EditedFile(file))
        predicting.values["qwen35.nextn_predict_layers"] = .uint32(1)
        shorter.values["qwen35.block_count"] = .uint32(5)
        for tensor in file.tensors where tensor.name.hasPrefix("blk.5.") { shorter.removedTensors.insert(tensor.name) }
        let tokens: [Int32] = [40, 50, 60, 70]
        let model = try LanguageModel.load(predicting.encoded())
        #expect(model.configuration.blockCount == 5 && model.configuration.multiTokenPredictionBlockCount == 1)
        let expected = try TestModel(LanguageModel.load(shorter.encoded())).logits(after: tokens)
        #expect(try TestModel(model).logits(after: tokens) == expected)
        // With a block count one smaller, the last block is one too many.
        predicting.values["qwen35.block_count"] = .uint32(5)
        #expect(throws: ModelError.self) { try LanguageModel.load(predicting.encoded()) }
    }

    @Test("files whose layers all have experts need no dense feed-forward length")
    func noDenseWidth() throws {
        let file = try GGUFFile(path: Fixture(name: Self.qwen35moe).path)
        var edited = EditedFile(file)
        edited.removed.insert("qwen35moe.feed_forward_length")
        let model = try LanguageModel.load(edited.encoded())
        #expect(
            try TestModel(model).logits(after: [40, 41]) == TestModel(LanguageModel.load(file)).logits(after: [40, 41]))
    }
}

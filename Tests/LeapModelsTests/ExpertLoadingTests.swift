import LeapGGUF

extension LoadingTests {
    private static let lfm2moe = "lfm2moe-f32"
    private static let qwen3moe = "qwen3moe-f32"
    private static let gptOSS = "gpt-oss-f32"

    /// Contradictions that only files with experts can have.
    static let expertChanges: [Change] = [
        Change(lfm2moe, "no experts", says: "lfm2moe.expert_count is 0, but block 2 of lfm2moe has experts") {
            $0.values["lfm2moe.expert_count"] = .uint32(0)
        },
        Change(lfm2moe, "no expert count", says: "lfm2moe.expert_count is 0") {
            $0.removed.insert("lfm2moe.expert_count")
        },
        Change(lfm2moe, "more experts than there are", says: "tensor 'blk.2.ffn_gate_inp.weight' has shape [28, 5]") {
            $0.add(1, to: "lfm2moe.expert_count")
        },
        Change(lfm2moe, "an absurd number of experts", says: "lfm2moe.expert_count") {
            $0.values["lfm2moe.expert_count"] = .uint32(1 << 20)
        },
        Change(
            lfm2moe, "more experts used than there are", says: "expert_used_count is 6, but must be from 1 to the 5 of"
        ) {
            $0.values["lfm2moe.expert_used_count"] = .uint32(6)
        },
        Change(qwen3moe, "no expert used", says: "qwen3moe.expert_used_count is 0, but must be from 1 to the 7 of") {
            $0.values["qwen3moe.expert_used_count"] = .uint32(0)
        },
        Change(qwen3moe, "no count of used experts", says: "qwen3moe.expert_used_count is 0") {
            $0.removed.insert("qwen3moe.expert_used_count")
        },
        Change(qwen3moe, "wider experts", says: "tensor 'blk.0.ffn_gate_exps.weight' has shape [26, 18, 7], but") {
            $0.add(1, to: "qwen3moe.expert_feed_forward_length")
        },
        Change(qwen3moe, "an expert width of 0", says: "expert_feed_forward_length is 0 for block 0, which has experts")
        {
            $0.values["qwen3moe.expert_feed_forward_length"] = .uint32(0)
        },
        Change(qwen3moe, "no expert width", says: "qwen3moe.expert_feed_forward_length") {
            $0.removed.insert("qwen3moe.expert_feed_forward_length")
        },
        Change(
            lfm2moe, "an unsupported gating function of the router",
            says: "expert_gating_func = 4 is not supported: supported values are 1"
        ) {
            $0.values["lfm2moe.expert_gating_func"] = .uint32(4)
        },
        Change(
            lfm2moe, "a negative scale of expert weights",
            says: "lfm2moe.expert_weights_scale is -1.0, but must be from"
        ) {
            $0.values["lfm2moe.expert_weights_scale"] = .float32(-1)
        },
        Change(
            lfm2moe, "more dense blocks than there are", says: "leading_dense_block_count is 3, but block 2 has experts"
        ) {
            $0.add(1, to: "lfm2moe.leading_dense_block_count")
        },
        Change(lfm2moe, "fewer dense blocks", says: "leading_dense_block_count is 1, but block 1 has no experts") {
            $0.add(-1, to: "lfm2moe.leading_dense_block_count")
        },
        Change(lfm2moe, "more dense blocks than blocks", says: "lfm2moe.leading_dense_block_count") {
            $0.add(4, to: "lfm2moe.leading_dense_block_count")
        },
        Change(lfm2moe, "no router", says: "tensor 'blk.3.ffn_gate_inp.weight' is missing") {
            $0.removedTensors.insert("blk.3.ffn_gate_inp.weight")
        },
        Change(lfm2moe, "no selection bias", says: "tensor 'blk.4.exp_probs_b.bias' is missing") {
            $0.removedTensors.insert("blk.4.exp_probs_b.bias")
        },
        Change(lfm2moe, "shared experts", says: "lfm2moe.expert_shared_count = 1 is not supported") {
            $0.values["lfm2moe.expert_shared_count"] = .uint32(1)
        },
        Change(qwen3moe, "groups of experts", says: "qwen3moe.expert_group_count = 4 is not supported") {
            $0.values["qwen3moe.expert_group_count"] = .uint32(4)
        },
        Change(
            gptOSS, "a dense block", says: "gpt-oss.leading_dense_block_count is 1, but block 0 has experts"
        ) {
            $0.values["gpt-oss.leading_dense_block_count"] = .uint32(1)
        },
        Change(gptOSS, "no sinks", says: "tensor 'blk.1.attn_sinks.weight' is missing") {
            $0.removedTensors.insert("blk.1.attn_sinks.weight")
        },
        Change(gptOSS, "more heads than sinks", says: "tensor 'blk.0.attn_sinks.weight' has shape [9], but") {
            $0.values["gpt-oss.attention.head_count"] = .uint32(18)
        },
        Change(gptOSS, "no expert bias", says: "tensor 'blk.2.ffn_up_exps.bias' is missing") {
            $0.removedTensors.insert("blk.2.ffn_up_exps.bias")
        },
        Change(gptOSS, "no norm before the experts", says: "tensor 'blk.0.post_attention_norm.weight' is missing") {
            $0.removedTensors.insert("blk.0.post_attention_norm.weight")
        },
        Change(gptOSS, "no window", says: "gpt-oss.attention.sliding_window") {
            $0.removed.insert("gpt-oss.attention.sliding_window")
        },
    ]
}

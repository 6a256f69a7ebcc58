import LeapGGUF

extension LoadingTests {
    private static let hybrid = "granitehybrid-f32"
    private static let mixture = "granitemoe-f32"

    /// Contradictions that only files with state spaces, or with shared experts, can have.
    static let stateSpaceChanges: [Change] = [
        Change(hybrid, "no state size", says: "granitehybrid.ssm.state_size") {
            $0.removed.insert("granitehybrid.ssm.state_size")
        },
        Change(
            hybrid, "heads that do not divide the inner size", says: "ssm.inner_size is 40, but must be a multiple of"
        ) {
            $0.values["granitehybrid.ssm.time_step_rank"] = .uint32(3)
        },
        Change(
            hybrid, "groups that do not divide the heads", says: "ssm.time_step_rank is 4, but must be a multiple of"
        ) {
            $0.values["granitehybrid.ssm.group_count"] = .uint32(3)
        },
        Change(hybrid, "a larger state", says: "tensor 'blk.0.ssm_in.weight' has shape [20, 128], but") {
            $0.add(1, to: "granitehybrid.ssm.state_size")
        },
        Change(hybrid, "no taps", says: "granitehybrid.ssm.conv_kernel") {
            $0.values["granitehybrid.ssm.conv_kernel"] = .uint32(0)
        },
        Change(hybrid, "more taps", says: "tensor 'blk.0.ssm_conv1d.weight' has shape [4, 84], but") {
            $0.add(1, to: "granitehybrid.ssm.conv_kernel")
        },
        Change(hybrid, "no decay", says: "tensor 'blk.1.ssm_a' is missing") { $0.removedTensors.insert("blk.1.ssm_a") },
        Change(hybrid, "no skip connection", says: "tensor 'blk.0.ssm_d' is missing") {
            $0.removedTensors.insert("blk.0.ssm_d")
        },
        Change(hybrid, "no output norm", says: "tensor 'blk.3.ssm_norm.weight' is missing") {
            $0.removedTensors.insert("blk.3.ssm_norm.weight")
        },
        Change(hybrid, "no attention layers, despite attention tensors", says: "'blk.2.ssm_in.weight' is missing") {
            $0.values["granitehybrid.attention.head_count_kv"] = .uint32(0)
        },
        Change(hybrid, "attention in every layer", says: "tensor 'blk.0.attn_q.weight' is missing") {
            $0.values["granitehybrid.attention.head_count_kv"] = .uint32(1)
        },
        Change(hybrid, "no experts", says: "tensor 'blk.0.ffn_gate.weight' is missing") {
            $0.values["granitehybrid.expert_count"] = .uint32(0)
        },
        Change(mixture, "no experts", says: "granitemoe.expert_count is 0, but block 0 of granitemoe has experts") {
            $0.values["granitemoe.expert_count"] = .uint32(0)
        },
        Change(
            mixture, "no expert width", says: "granitemoe.feed_forward_length"
        ) {
            $0.removed.insert("granitemoe.feed_forward_length")
        },
        Change(mixture, "an incomplete shared expert", says: "tensor 'blk.1.ffn_gate_shexp.weight' is missing") {
            $0.removedTensors.insert("blk.1.ffn_gate_shexp.weight")
        },
        Change(
            mixture, "a shared expert with a width but no tensors", says: "'blk.0.ffn_gate_shexp.weight' is missing"
        ) {
            for part in ["gate", "up", "down"] { $0.removedTensors.insert("blk.0.ffn_\(part)_shexp.weight") }
        },
    ]
}

import LeapOps

// State spaces, by the names and keys that all files give them.

extension Binder {
    /// `ssm.inner_size`, `ssm.time_step_rank` (heads), `ssm.group_count`, `ssm.state_size` and `ssm.conv_kernel`.
    func stateSpaceShape() throws(ModelError) -> RecurrentShape {
        let width = try parameters.integer("ssm.inner_size", in: 1...1 << 20)
        let heads = try parameters.integer("ssm.time_step_rank", in: 1...65_536)
        let groups = try parameters.integer("ssm.group_count", in: 1...4096)
        let dimension = try parameters.integer("ssm.state_size", in: 1...4096)
        for (key, count, other) in [
            ("ssm.inner_size", width, ("ssm.time_step_rank", heads)),
            ("ssm.time_step_rank", heads, ("ssm.group_count", groups)),
        ] where !count.isMultiple(of: other.1) {
            throw .contradiction(
                "\(parameters.key(key)) is \(count), but must be a multiple of \(parameters.key(other.0)), \(other.1)")
        }
        return RecurrentShape(
            rule: .stateSpace, keyHeads: groups, valueHeads: heads, keyDimension: dimension,
            valueDimension: width / heads, taps: try parameters.integer("ssm.conv_kernel", in: 1...64))
    }
}

extension Block {
    /// `ssm_in`, whose rows are the gate, what is convolved and the time steps; `ssm_conv1d`, `ssm_dt`, `ssm_a`, `ssm_d`,
    /// `ssm_norm` and `ssm_out`.
    func stateSpace(_ shape: RecurrentShape) throws(ModelError) -> StateSpaceMixer {
        let (width, heads) = (configuration.embeddingLength, shape.valueHeads)
        let weights = model.weights
        let inputs = try projections("ssm_in", rows: [shape.valueWidth, shape.channels, heads], columns: width)
        return StateSpaceMixer(
            gate: inputs[0], input: inputs[1], timeStep: inputs[2],
            filter: try transposed("ssm_conv1d", rows: shape.channels, columns: shape.taps),
            filterBias: try weights.vectorIfPresent(name("ssm_conv1d.bias"), count: shape.channels),
            decay: try weights.channelVector(name("ssm_a"), count: heads),
            timeBias: try weights.vector(name("ssm_dt.bias"), count: heads),
            skip: try weights.channelVector(name("ssm_d"), count: heads),
            outputNorm: Norm(
                gains: try weights.floats(
                    name("ssm_norm.weight"), dimensions: [shape.valueWidth / shape.keyHeads, shape.keyHeads]),
                epsilon: configuration.normEpsilon),
            output: try projection("ssm_out", rows: width, columns: shape.valueWidth), shape: shape)
    }
}

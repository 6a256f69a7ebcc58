import LeapBlocks

// Rows of answers, sorted by experts: the weights of all experts in use are read once, in one pass. The same holds for
// rows of prompts if a weight type has no tiles. Only the kind of the rows and the type of the weights decide this,
// never the number of rows of an expert, which depends on the other rows in the batch.

extension Compute {
    /// `weights[expert] · x[slot]` for every slot.
    ///
    /// - Parameters:
    ///   - weights: `[rows, columns]` of each expert, of a supported type.
    ///   - x: `[slots, columns]`.
    /// - Returns: `[slots, rows]`.
    public func linear(_ weights: ExpertMatrices, _ x: inout Activations, _ groups: ExpertGroups) -> Rows {
        let start = profiler.begin()
        defer { profiler.end(start, .product(weights, groups: groups)) }
        observe(x.rows, weights, groups)
        let output = scratch.rows(groups.slotCount, width: weights.rows)
        if x.kind == .prompt, let tiles = kernels[weights.joint.type]?.tiles {
            multiplyTiles(weights, &x, groups, tiles, into: output)
        } else {
            multiply(products(weights, &x, groups, into: output), bytes: weights.byteCount)
        }
        return output
    }

    /// `activation(gate[expert] · x[slot]) ⊙ (up[expert] · x[slot])` for every slot.
    ///
    /// - Parameters:
    ///   - gate, up: `[rows, columns]` of each expert, of supported types.
    ///   - x: `[slots, columns]`.
    /// - Returns: `[slots, rows]`.
    public func gatedLinear(
        gate: ExpertMatrices, up: ExpertMatrices, _ x: inout Activations, _ groups: ExpertGroups,
        _ unit: GatedUnit = .swiGLU
    ) -> Rows {
        assert(gate.rows == up.rows)
        let start = profiler.begin()
        defer { profiler.end(start, .product(gate, up, groups: groups)) }
        observe(x.rows, gate, groups)
        observe(x.rows, up, groups)
        let output = scratch.rows(groups.slotCount, width: gate.rows)
        if x.kind == .prompt, let gateTiles = kernels[gate.joint.type]?.tiles,
            let upTiles = kernels[up.joint.type]?.tiles
        {
            multiplyGatedTiles(gate: (gate, gateTiles), up: (up, upTiles), &x, groups, unit, into: output)
            return output
        }
        let work = GatedExpertRowProducts(
            gate: products(gate, &x, groups, into: output),
            up: products(up, &x, groups, into: scratch.rows(groups.slotCount, width: up.rows)),
            glu: kernels.floats.glu(unit))
        multiply(work, bytes: gate.byteCount + up.byteCount)
        return output
    }

    private func products(
        _ weights: ExpertMatrices, _ x: inout Activations, _ groups: ExpertGroups, into output: Rows
    ) -> ExpertRowProducts {
        guard let dot = kernels[weights.joint.type]?.dot, let type = weights.joint.type.activationType else {
            preconditionFailure("no kernel for \(weights.joint.type)")  // refused when the model is loaded
        }
        return ExpertRowProducts(
            dot: dot, weights: weights, x: x.rows(as: type, self), groups: groups, output: output)
    }

    /// Shares the weight rows of all groups among the threads.
    ///
    /// - Parameter bytes: The bytes of a group's weights.
    private func multiply(_ work: some ExpertWork, bytes: Int) {
        parallel(work.groups.count * work.rows, grain: grain(rows: work.rows, bytes: bytes), work)
    }
}

/// Work on the weight rows of every group.
private protocol ExpertWork: ParallelWork {
    var groups: ExpertGroups { get }
    /// Weight rows per group.
    var rows: Int { get }
}

/// Dot products of each expert's weight rows with the rows of its group.
private struct ExpertRowProducts: ExpertWork {
    let dot: DotKernel
    let weights: ExpertMatrices
    let x: QuantizedRows
    let groups: ExpertGroups
    let output: Rows

    var rows: Int { weights.rows }

    func run(_ range: Range<Int>, worker: Int) {
        groups.forEachGroup(in: range, size: rows) { multiply($0, $1) }
    }

    func multiply(_ group: Int, _ rows: Range<Int>) {
        let matrix = weights[groups.expert(group)]
        let slots = groups.slots(group)
        dot(
            matrix.row(rows.lowerBound), matrix.rowBytes, rows.count, x.base + slots.lowerBound * x.rowBytes,
            x.rowBytes,
            slots.count, matrix.blocksPerRow, output[slots.lowerBound] + rows.lowerBound, output.width)
    }
}

/// Two matrices of each expert, whose products are gated as soon as both are computed.
private struct GatedExpertRowProducts: ExpertWork {
    let gate: ExpertRowProducts
    let up: ExpertRowProducts
    let glu: FloatKernels.GLU

    var groups: ExpertGroups { gate.groups }
    var rows: Int { gate.rows }

    func run(_ range: Range<Int>, worker: Int) {
        groups.forEachGroup(in: range, size: rows) { group, rows in
            gate.multiply(group, rows)
            up.multiply(group, rows)
            for slot in groups.slots(group) {
                let values = gate.output[slot] + rows.lowerBound
                glu(values, up.output[slot] + rows.lowerBound, values, rows.count)
            }
        }
    }
}

import LeapOps

/// What every layer of a pass needs to know of its rows: their positions, and the sequences that they continue.
///
/// It is in scratch memory and consists only of pointers and numbers, so that passing it down needs no reference
/// counting. The batch, which the caller holds, keeps the sequences alive.
struct ForwardPass {
    let kind: RowKind
    /// Rows of the pass.
    let count: Int
    let positions: UnsafeMutablePointer<Int>
    /// The rows, by sequences; none if scratch memory is only counted.
    let runs: UnsafeMutableBufferPointer<Run>
    /// The angles of each setting that the model has.
    fileprivate let globalAngles: RotaryAngles?
    fileprivate let windowedAngles: RotaryAngles?
    /// How much adapters weigh in each row; `nil` for a model that has none.
    let adapterScales: AdapterScales?

    /// The angles that a layer chose.
    func angles(_ choice: RotaryChoice) -> RotaryAngles? {
        switch choice {
        case .global: globalAngles
        case .windowed: windowedAngles
        }
    }

    /// Whether there are rows that no row sees.
    let hidesRows: Bool

    /// Rows that follow each other in one sequence.
    struct Run {
        let rows: Range<Int>
        /// The part of ``rows`` that is seen: all, or the first ones.
        let seen: Range<Int>
        /// The sequence's states of all layers.
        let states: UnsafePointer<UnsafeRawPointer>
        /// The sequence's number of the pass.
        let number: Int
    }

    /// The state of a layer in the sequence of a run.
    ///
    /// - Parameter type: The type of the states that the layer's part makes.
    func state<State: LayerState>(of layer: Int, in run: Run, as type: State.Type) -> Unmanaged<State> {
        Unmanaged.fromOpaque(run.states[layer])
    }
}

extension Compute {
    /// Prepares a pass over a batch, in scratch memory.
    ///
    /// - Parameter adapters: How many the model has.
    func forwardPass(over batch: Batch, _ rotary: RotarySettings, adapters: Int) -> ForwardPass {
        let positions = scratch.array(of: Int.self, count: batch.count)
        if !isCounting {
            for row in 0..<batch.count { (positions + row).initialize(to: batch.position(of: row)) }
        }
        let all = UnsafeBufferPointer(start: positions, count: batch.count)
        let global = anglesIfAny(rotary.global, positions: all)
        if let global, let long = rotary.long { lengthen(global, long, batch, all) }
        return ForwardPass(
            kind: batch.kind, count: batch.count, positions: positions, runs: runs(of: batch),
            globalAngles: global, windowedAngles: anglesIfAny(rotary.windowed, positions: all),
            adapterScales: adapterScales(of: batch, adapters: adapters), hidesRows: batch.hidesRows)
    }

    private func anglesIfAny(_ embedding: RotaryEmbedding?, positions: UnsafeBufferPointer<Int>) -> RotaryAngles? {
        guard let embedding else { return nil }
        return angles(embedding, positions: positions)
    }

    /// Gives the rows of long sequences their angles.
    private func lengthen(
        _ angles: RotaryAngles, _ long: LongRotary, _ batch: Batch, _ positions: UnsafeBufferPointer<Int>
    ) {
        guard !isCounting else { return }
        batch.forEachRun { rows, sequence in
            guard batch.withState(of: sequence, { long.isLong(capacity: $0.capacity) }) else { return }
            set(angles[rows], long.embedding, positions: UnsafeBufferPointer(rebasing: positions[rows]))
        }
    }

    private func runs(of batch: Batch) -> UnsafeMutableBufferPointer<ForwardPass.Run> {
        let runs = scratch.array(of: ForwardPass.Run.self, count: batch.count)
        guard !isCounting else { return UnsafeMutableBufferPointer(start: runs, count: 0) }
        var count = 0
        batch.forEachRun { rows, sequence in
            let run = batch.withState(of: sequence) {
                ForwardPass.Run(rows: rows, seen: batch.seen(of: rows), states: $0.addresses, number: $0.pass)
            }
            (runs + count).initialize(to: run)
            count += 1
        }
        return UnsafeMutableBufferPointer(start: runs, count: count)
    }

    /// The rows' inputs: embeddings of tokens, scaled, or embedding rows as they are. `[n, embeddingLength]`.
    func embed(_ batch: Batch, from table: QuantizedMatrix, scale: Float) -> Rows {
        let start = beginOperation()
        let x = scratch.rows(batch.count, width: table.columns)
        defer { endOperation(start, .pointwise(.embedding, x, streams: 1)) }
        guard !isCounting else { return x }
        for row in 0..<batch.count {
            switch batch.inputs[row] {
            case .token(let token):
                embed(token, from: table, into: x[row])
                if scale != 1 { for element in 0..<x.width { x[row][element] *= scale } }
            case .embedding(let index): x[row].update(from: batch.embeddings[index], count: x.width)
            }
        }
        return x
    }

    /// The rows of `x` that a batch wants something of.
    func wantedRows(of batch: Batch, _ x: Rows) -> Rows {
        let wanted = scratch.rows(batch.wanted.count, width: x.width)
        guard !isCounting else { return wanted }
        for index in 0..<wanted.count { wanted[index].update(from: x[batch.wanted[index]], count: x.width) }
        return wanted
    }
}

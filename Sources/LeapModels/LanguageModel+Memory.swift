import LeapGGUF
public import LeapOps

extension LanguageModel {
    /// What a context of a size will take when it is computed with `compute`, before anything is allocated.
    ///
    /// - Throws: As ``makeState(capacity:adapterScales:)``.
    public func memoryPlan(contextSize: Int, _ compute: Compute) throws(ModelError) -> MemoryPlan {
        // Refuses sizes for which the arithmetic below would overflow.
        let chunk = try chunk(of: contextSize)
        return MemoryPlan(
            contextSize: contextSize,
            weightBytes: weightBytes,
            stateBytes: stateBytes(positions: contextSize),
            scratchBytes: scratchBytes(of: chunk, .logits, compute))
    }

    /// The largest context that fits in memory, in tokens, up to that of the training; 0 if not even one token fits.
    ///
    /// - Parameter bytes: The most that state and scratch may take, ``MemoryPlan/privateBytes``; weights do not count.
    /// - Throws: As ``memoryPlan(contextSize:_:)``.
    public func largestContext(within bytes: Int, _ compute: Compute) throws(ModelError) -> Int {
        var (fitting, tooLarge) = (0, configuration.contextLength + 1)
        while tooLarge - fitting > 1 {
            let middle = (fitting + tooLarge) / 2
            if try memoryPlan(contextSize: middle, compute).privateBytes <= bytes {
                fitting = middle
            } else {
                tooLarge = middle
            }
        }
        return fitting
    }

    /// The largest chunk of a prompt in a context.
    private func chunk(of contextSize: Int) throws(ModelError) -> Batch {
        let rows = min(Self.chunkSize, contextSize)
        let state = try makeState(capacity: contextSize)
        var batch = Batch(of: .prompt)
        batch.append(tokens: repeatElement(0, count: rows), to: state, wantsLogits: true)
        return batch
    }

    /// Bytes of the weights in their file, and of the adapters in theirs.
    public var weightBytes: Int { files.reduce(0) { $1.tensors.reduce($0) { $0 + $1.byteCount } } }

    /// The bytes of a state that holds `positions` tokens.
    public func stateBytes(positions: Int) -> Int {
        graph.layers.reduce(0) { $0 + $1.mixer.stateByteCount(positions: positions, keyValueTypes) }
    }

    /// The most scratch memory that a pass takes, at any position of its sequences.
    func scratchBytes(of batch: Batch, _ output: Graph.Output, _ compute: Compute) -> Int {
        let key = ScratchSizes.Key.of(batch, output, compute)
        return scratchSizes.bytes(of: key) ?? countScratchBytes(of: key, batch, output, compute)
    }

    /// A separate function, so that the common path creates no closure that captures the batch.
    @inline(never)
    private func countScratchBytes(
        of key: ScratchSizes.Key, _ batch: Batch, _ output: Graph.Output, _ compute: Compute
    ) -> Int {
        let counted = compute.counted(positions: key.capacity) {
            _ = graph.forward(batch, output, $0) { _, _, _ in true }
        }
        scratchSizes.record(counted, of: key)
        return counted
    }
}

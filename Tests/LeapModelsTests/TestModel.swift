import LeapBlocks
import LeapGGUF
import LeapModels
import LeapOps
import _LeapTestSupport

extension Fixture {
    /// Whether it has layers with the gated delta rule or a state space.
    var isRecurrent: Bool { ["qwen35", "granitehybrid"].contains { name.hasPrefix($0) } }
}

/// A fixture's model, and the resources to run it.
struct TestModel {
    let model: LanguageModel
    let compute: Compute

    /// - Parameter types: The types of keys and values; the model's default if `nil`.
    init(
        _ fixture: Fixture, adapters: [Adapter] = [], types: KeyValueTypes? = nil, compute: Compute = Compute()
    ) throws {
        model = try LanguageModel.load(
            GGUFFile(path: fixture.path), adapters: adapters, keyType: types?.keys, valueType: types?.values)
        self.compute = compute
    }

    init(_ model: LanguageModel, compute: Compute = Compute()) {
        self.model = model
        self.compute = compute
    }

    func makeState() throws -> SequenceState { try model.makeState(capacity: 512) }

    /// Logits of the last position, with the tokens processed in chunks.
    func logits(
        after tokens: [Int32], _ kind: RowKind = .prompt, chunk: Int = 512, state: SequenceState? = nil
    ) throws -> [Float] {
        let state = try state ?? makeState()
        var result: [Float] = []
        for start in stride(from: 0, to: tokens.count, by: chunk) {
            let end = min(start + chunk, tokens.count)
            var batch = Batch(of: kind)
            batch.append(tokens: tokens[start..<end], to: state, wantsLogits: end == tokens.count)
            try model.forward(batch, compute) { logits in
                if logits.rowCount > 0 { result = Array(logits[0]) }
            }
        }
        return result
    }

    /// The greedy continuation.
    func greedy(after tokens: [Int32], count: Int) throws -> [Int32] {
        let state = try makeState()
        var ids: [Int32] = []
        var next = tokens
        while ids.count < count {
            let logits = try logits(after: next, ids.isEmpty ? .prompt : .answer, state: state)
            let best = logits.indices.max { logits[$0] < logits[$1] } ?? 0
            ids.append(Int32(best))
            next = [Int32(best)]
        }
        return ids
    }

    /// The residual stream after every layer, `[tokens, embedding]` each.
    func residualStream(of tokens: [Int32]) throws -> [[Float]] {
        var batch = Batch(of: .prompt)
        batch.append(tokens: tokens, to: try makeState(), wantsLogits: true)
        var layers: [[Float]] = []
        let observer: LayerObserver = { _, part, rows in
            guard part == .feedForward else { return true }
            layers.append(Array(UnsafeBufferPointer(start: rows.base, count: rows.count * rows.width)))
            return true
        }
        try model.forward(batch, compute, observer: observer)
        return layers
    }
}

extension TestModel {
    /// Logits of every row of one pass over an answer.
    func allLogits(of tokens: [Int32], state: SequenceState) throws -> [[Float]] {
        var batch = Batch(of: .answer)
        for token in tokens { batch.append(token: token, to: state, wantsLogits: true) }
        return try model.forward(batch, compute) { logits in (0..<logits.rowCount).map { Array(logits[$0]) } }
    }
}

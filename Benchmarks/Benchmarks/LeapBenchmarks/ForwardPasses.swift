import LeapGGUF
import LeapModels
import LeapOps
import _LeapTestSupport

/// Whole passes of tiny models, whose weights fit in the cache: this measures the overhead around the products, such as
/// waking threads. Models of real size are measured by leap-bench.
func registerForwardPasses() {
    for name in ["lfm2-k-quants", "llama-q4_k"] {
        registerDecoding(Fixture(name: name))
        registerPromptPass(Fixture(name: name))
    }
}

private let promptLength = 64

private func registerDecoding(_ fixture: Fixture) {
    let threads = Compute().threads
    measure(["forward", fixture.name, "decode", "\(threads)t"], Work(tokens: 1)) {
        let model = try LanguageModel.load(GGUFFile(path: fixture.path))
        let compute = Compute()
        let state = try model.makeState(capacity: model.configuration.contextLength)
        var batch = Batch(of: .answer)
        return Iteration(
            reset: {
                if state.position == state.capacity { state.reset() }
                if state.position == 0 { try model.forward(prompt(for: state), compute) }
                batch.removeAll()
                batch.append(token: Int32(state.position % 256), to: state, wantsLogits: true)
            },
            run: { try model.forward(batch, compute) })
    }
}

private func registerPromptPass(_ fixture: Fixture) {
    let threads = Compute().threads
    let name = ["forward", fixture.name, "prompt\(promptLength)", "\(threads)t"]
    measure(name, Work(tokens: promptLength)) {
        let model = try LanguageModel.load(GGUFFile(path: fixture.path))
        let compute = Compute()
        let state = try model.makeState(capacity: model.configuration.contextLength)
        return Iteration(
            reset: { state.reset() },
            run: { try model.forward(prompt(for: state), compute) })
    }
}

private func prompt(for state: SequenceState) -> Batch {
    var batch = Batch(of: .prompt)
    batch.append(tokens: (0..<Int32(promptLength)).map { $0 }, to: state, wantsLogits: true)
    return batch
}

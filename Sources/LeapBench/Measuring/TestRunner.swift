import LeapModels
import LeapOps

/// What came out of the repetitions of one test.
struct Measurement {
    /// The time of each repetition.
    var seconds: [Double] = []
    /// The largest of all repetitions.
    var memory = MemoryUse()
}

/// Runs tests on one model with one set of threads.
///
/// Works like llama-bench: random tokens, no sampling, logits for the last token of a prompt and for every decoded one.
struct TestRunner {
    let model: LanguageModel
    let compute: Compute
    /// Rows of the largest pass.
    let chunk: Int

    private var random = SplitMix64(seed: 1)
    /// A sequence that holds as many tokens as the last test's depth; repetitions continue copies of it.
    private var filled: SequenceState?

    init(model: LanguageModel, compute: Compute, chunk: Int) {
        self.model = model
        self.compute = compute
        self.chunk = chunk
    }

    /// Measures a test.
    mutating func run(_ test: TestCase, repetitions: Int, warmsUp: Bool) throws -> Measurement {
        let start = try state(holding: test.depth)
        if warmsUp { try warmUp(test, (0..<test.sequences).map { _ in start.fork() }) }
        MemoryUse.resetPeak()
        var measurement = Measurement()
        for _ in 0..<repetitions {
            let states = (0..<test.sequences).map { _ in start.fork() }
            measurement.seconds.append(try seconds { try work(test, states) })
            measurement.memory = measurement.memory.merged(with: .now())
        }
        return measurement
    }

    private mutating func work(_ test: TestCase, _ states: [SequenceState]) throws {
        try prefill(test.promptTokens, states[0])
        try decode(test.generatedTokens, states)
    }

    /// The whole prompt and one token: all code and weights that the test needs have been touched then.
    private mutating func warmUp(_ test: TestCase, _ states: [SequenceState]) throws {
        try prefill(test.promptTokens, states[0])
        try decode(min(1, test.generatedTokens), states)
    }

    private mutating func state(holding depth: Int) throws -> SequenceState {
        if let filled, filled.position == depth { return filled }
        let state = try model.makeState(capacity: model.configuration.contextLength)
        try prefill(depth, state)
        filled = state
        return state
    }

    private mutating func prefill(_ count: Int, _ state: SequenceState) throws {
        var batch = Batch()
        var left = count
        while left > 0 {
            batch.removeAll()
            let rows = min(chunk, left)
            left -= rows
            batch.append(tokens: (0..<rows).map { _ in randomToken() }, to: state, wantsLogits: left == 0)
            _ = try model.forward(batch, compute)
        }
    }

    /// Decodes `count` tokens of every sequence.
    private mutating func decode(_ count: Int, _ states: [SequenceState]) throws {
        var batch = Batch()
        for _ in 0..<count {
            batch.removeAll()
            for state in states { batch.append(token: randomToken(), to: state, wantsLogits: true) }
            _ = try model.forward(batch, compute)
        }
    }

    private mutating func randomToken() -> Int32 {
        Int32(truncatingIfNeeded: random.next() % UInt64(model.configuration.vocabularySize))
    }
}

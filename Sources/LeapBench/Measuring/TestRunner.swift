import LeapGeneration
import LeapModels
import LeapOps

/// The measurements of one test's repetitions.
struct Measurement {
    /// The time of each repetition.
    var seconds: [Double] = []
    /// The maximum over all repetitions.
    var memory = MemoryUse()
    /// The profile of one additional repetition, if requested.
    var profile: Profile?
    /// Bytes of matrices that products read from outside the mapped file; 0 unless weights were copied.
    var extraWeightBytes = 0
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
    /// A sequence filled to the last test's depth; repetitions continue copies of it.
    private var filled: SequenceState?

    init(model: LanguageModel, compute: Compute, chunk: Int) {
        self.model = model
        self.compute = compute
        self.chunk = chunk
    }

    /// Measures a test.
    ///
    /// - Parameter profiles: Whether to time the operations of one additional repetition.
    mutating func run(
        _ test: TestCase, repetitions: Int, warmsUp: Bool, profiles: Bool = false
    ) throws -> Measurement {
        let start = try state(holding: test.depth)
        if warmsUp { try warmUp(test, start) }
        MemoryUse.resetPeak()
        var measurement = Measurement()
        for _ in 0..<repetitions {
            measurement.seconds.append(try time(test, start))
            measurement.memory = measurement.memory.merged(with: .now())
        }
        // Measured separately, because reading the clock takes time too.
        if profiles { measurement.profile = try profile(test, start) }
        measurement.extraWeightBytes = try profile(TestCase(generatedTokens: 1), start).extraWeightBytes
        return measurement
    }

    /// The time of one repetition.
    mutating func sample(_ test: TestCase) throws -> Double { try time(test, try state(holding: test.depth)) }

    /// The time of the test's work on copies of a sequence.
    private mutating func time(_ test: TestCase, _ start: SequenceState) throws -> Double {
        let states = (0..<test.sequences).map { _ in start.fork() }
        return try seconds { try work(test, states) }
    }

    private mutating func profile(_ test: TestCase, _ start: SequenceState) throws -> Profile {
        _ = compute.profiler.take()
        compute.profiler.isOn = true
        defer { compute.profiler.isOn = false }
        let time = try time(test, start)
        let (operations, threads) = compute.profiler.take()
        return Profile(
            seconds: time, passes: test.passes(chunk: chunk), operations: operations, threads: threads,
            names: TensorNames(model.file))
    }

    private mutating func work(_ test: TestCase, _ states: [SequenceState]) throws {
        if let first = states.first { try prefill(test.promptTokens, first) }
        try decode(test.generatedTokens, states)
    }

    /// The whole prompt and one token, so that all code and weights that the test needs have been touched.
    private mutating func warmUp(_ test: TestCase, _ start: SequenceState) throws {
        let states = (0..<test.sequences).map { _ in start.fork() }
        if let first = states.first { try prefill(test.promptTokens, first) }
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
        var batch = Batch(of: .prompt)
        var left = count
        while left > 0 {
            batch.removeAll()
            let rows = min(chunk, left)
            left -= rows
            batch.append(tokens: (0..<rows).map { _ in randomToken() }, to: state, wantsLogits: left == 0)
            try model.forward(batch, compute)
        }
    }

    /// Decodes `count` tokens of every sequence, one of each per pass.
    private mutating func decode(_ count: Int, _ states: [SequenceState]) throws {
        var batch = Batch(of: .answer)
        for _ in 0..<count {
            batch.removeAll()
            for state in states { batch.append(token: randomToken(), to: state, wantsLogits: true) }
            try model.forward(batch, compute)
        }
    }

    private mutating func randomToken() -> Int32 {
        Int32(truncatingIfNeeded: random.next() % UInt64(model.configuration.vocabularySize))
    }
}

extension TestCase {
    /// Forward passes that the test takes.
    func passes(chunk: Int) -> Int { (promptTokens + chunk - 1) / chunk + generatedTokens }
}

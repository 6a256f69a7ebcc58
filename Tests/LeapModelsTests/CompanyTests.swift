import LeapBlocks
import LeapKernels
import LeapOps
import Testing
import _LeapTestSupport

@testable import LeapModels

/// An answer depends on its request alone, to the last bit: not on other rows in a pass, nor on the chunks in which its
/// prompt is computed, nor on the content of the cache, nor on drafts, nor on passes that were cancelled.
@Suite struct CompanyTests {
    /// All but those that have nothing of their own, and would only take time: types of weights that `llama-every-type`
    /// has too, in layers like those of `lfm2-tied-f32`; the layers of `llama-untied-rope-factors-f32` and
    /// `phi4-long-f32` with other factors of the rotation.
    static let fixtures = Fixture.all.filter {
        ![
            "lfm2-chat-q8_0", "lfm2-q8_0-q4_0", "llama-tied-f32", "llama-rope-linear-f32", "phi4-short-f32",
        ].contains($0.name)
    }

    /// At least 1,000 schedules in total on a machine with three levels.
    static let schedulesOfEach = 30

    @Test(
        "Batched conversations give the same logits as each alone", arguments: fixtures, Kernels.available.map(\.level))
    func batching(fixture: Fixture, level: KernelLevel) throws {
        for threads in [1, 2] {
            let compute = Compute(kernels: Kernels.table(for: level), threads: threads)
            let model = try TestModel(fixture, compute: compute)
            for seed in 0..<Self.schedulesOfEach {
                var schedule = try Schedule(model, seed: UInt64(seed * 2 + threads))
                try schedule.run()
            }
        }
    }

    @Test(
        "Batched conversations give the same logits with every type of keys and values",
        arguments: KeyValueType.allCases,
        Kernels.available.map(\.level))
    func keyValueTypes(type: KeyValueType, level: KernelLevel) throws {
        let compute = Compute(kernels: Kernels.table(for: level), threads: 2)
        let model = try TestModel(Fixture(name: "llama-every-type"), types: KeyValueTypes(type), compute: compute)
        for seed in 0..<10 {
            var schedule = try Schedule(model, seed: UInt64(seed))
            try schedule.run()
        }
    }

    @Test("Two threads that share a Compute each get their own logits")
    func twoThreads() async throws {
        let model = try TestModel(Fixture(name: "lfm2-k-quants"))
        let prompts = [[Int32](0..<20), [Int32](20..<60)]
        let alone = try prompts.map { try model.logits(after: $0) }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for (prompt, expected) in zip(prompts, alone) {
                group.addTask {
                    try (0..<150).reduce(0) { wrong, _ in
                        try wrong + (model.logits(after: prompt) == expected ? 0 : 1)
                    }
                }
            }
            for try await wrong in group { #expect(wrong == 0) }
        }
    }

    @Test("A batch continues its sequences from their positions at the start of the pass")
    func resetBeforePass() throws {
        let model = try TestModel(Fixture(name: "lfm2-k-quants"))
        let state = try model.makeState()
        _ = try model.logits(after: [Int32](0..<300), state: state)
        var batch = Batch(of: .prompt)
        batch.append(tokens: [Int32](5..<25), to: state, wantsLogits: true)
        state.reset()
        let found = try model.model.forward(batch, model.compute) { Array($0[0]) }
        #expect(found == (try model.logits(after: [Int32](5..<25))))
    }

    @Test(
        "A sequence of another model is refused, and its segments are not restored",
        arguments: ["lfm2-tied-f32", "lfm2-k-quants"])
    func anotherModel(name: String) throws {
        let model = try TestModel(Fixture(name: "lfm2-k-quants"))
        let other = try TestModel(Fixture(name: name))
        let stranger = try other.makeState()
        _ = try other.logits(after: [Int32](0..<Int32(StateSegment.length)), state: stranger)
        var batch = Batch(of: .answer)
        batch.append(token: 1, to: stranger, wantsLogits: true)
        #expect {
            try model.model.forward(batch, model.compute)
        } throws: { error in
            "\(error)".hasPrefix("a sequence of the batch belongs to another model")
        }
        let own = try model.makeState()
        own.restore(stranger.finishedSegments())
        #expect(own.position == 0)
    }
}

// MARK: - Schedules

/// Conversations with predetermined tokens, run in random passes.
private struct Schedule {
    private let model: TestModel
    private var random: SeededRandomNumberGenerator
    private var conversations: [Conversation] = []

    init(_ model: TestModel, seed: UInt64) throws {
        self.model = model
        random = SeededRandomNumberGenerator(seed: seed)
        let lengths = [3, 17, 40, 200, 320]
        for _ in 0..<Int.random(in: 2...12, using: &random) {
            let prompt = Int.random(in: 1...(lengths.randomElement(using: &random) ?? 1), using: &random)
            let answer = Int.random(in: 1...6, using: &random)
            let tokens = (0..<prompt + answer).map { _ in randomToken() }
            let conversation = try Conversation(tokens: tokens, promptLength: prompt, model)
            if Bool.random(using: &random) { conversation.restoreFromCache() }
            conversations.append(conversation)
        }
    }

    /// Runs all conversations to their ends.
    mutating func run() throws {
        while true {
            let reading = conversations.indices.filter { conversations[$0].isReading }
            let answering = conversations.indices.filter { conversations[$0].isAnswering }
            if reading.isEmpty && answering.isEmpty { return }
            if answering.isEmpty || (!reading.isEmpty && Bool.random(using: &random)) {
                try pass(.prompt, over: Array(reading.shuffled(using: &random).prefix(2)))
            } else {
                let count = Int.random(in: 1...answering.count, using: &random)
                try pass(.answer, over: Array(answering.shuffled(using: &random).prefix(count)))
            }
        }
    }

    private mutating func pass(_ kind: RowKind, over members: [Int]) throws {
        var batch = Batch(of: kind)
        var rows: [Int] = []
        for member in members { rows.append(conversations[member].append(to: &batch, &random)) }
        if Int.random(in: 0..<8, using: &random) == 0 { try cancel(batch) }
        var next = 0
        try model.model.forward(batch, model.compute) { logits in
            for (member, count) in zip(members, rows) {
                let wanted = kind == .answer ? count : conversations[member].readsToTheEnd(count) ? 1 : 0
                conversations[member].check((0..<wanted).map { Array(logits[next + $0]) }, rows: count)
                next += wanted
            }
            #expect(next == logits.rowCount)
        }
        if kind == .answer { for member in members { conversations[member].takeBack(&random) } }
    }

    private mutating func cancel(_ batch: Batch) throws {
        let last = Int.random(in: 0..<model.model.configuration.blockCount, using: &random)
        #expect(throws: ModelError.self) {
            try model.model.forward(batch, model.compute) { layer, _, _ in layer < last }
        }
    }

    private mutating func randomToken() -> Int32 {
        Int32.random(in: 0..<Int32(model.model.configuration.vocabularySize), using: &random)
    }
}

/// One conversation: tokens, of which the first are the prompt, and the logits when it is computed alone.
private struct Conversation {
    let tokens: [Int32]
    let promptLength: Int
    let state: SequenceState
    /// Logits after the prompt, then after every token of the answer.
    let expected: [[Float]]
    /// The segments of the prompt that a cache would hold, without its last token.
    private let segments: [StateSegment]
    /// Rows of the last pass.
    private var lastRows = 0

    init(tokens: [Int32], promptLength: Int, _ model: TestModel) throws {
        self.tokens = tokens
        self.promptLength = promptLength
        let alone = try model.makeState()
        var logits = [try model.logits(after: Array(tokens.prefix(promptLength)), state: alone)]
        segments = Array(alone.finishedSegments().prefix((promptLength - 1) / StateSegment.length))
        for token in tokens.dropFirst(promptLength) {
            logits.append(try model.logits(after: [token], .answer, state: alone))
        }
        expected = logits
        state = try model.makeState()
        state.isReversible = true
    }

    func restoreFromCache() { state.restore(segments) }

    var isReading: Bool { state.position < promptLength }
    var isAnswering: Bool { !isReading && state.position < tokens.count }

    func readsToTheEnd(_ rows: Int) -> Bool { state.position == promptLength }

    /// Appends a chunk of the prompt, or a token of the answer followed by correct drafts.
    func append(to batch: inout Batch, _ random: inout SeededRandomNumberGenerator) -> Int {
        let end = isReading ? promptLength : tokens.count
        var most = end - state.position
        if !isReading {
            let block = StateSegment.length - state.position % StateSegment.length
            most = min(most, SequenceState.reversibleRows, block)
        }
        let count = Int.random(in: 1...most, using: &random)
        for index in state.position..<state.position + count {
            batch.append(token: tokens[index], to: state, wantsLogits: index >= promptLength - 1)
        }
        return count
    }

    /// Compares logits with those of the conversation computed alone.
    mutating func check(_ logits: [[Float]], rows: Int) {
        lastRows = rows
        for (offset, row) in logits.enumerated() {
            #expect(row == expected[state.position - promptLength - logits.count + 1 + offset])
        }
    }

    /// Rolls back some of the answer's last rows, as if they had been wrong drafts.
    func takeBack(_ random: inout SeededRandomNumberGenerator) {
        guard Bool.random(using: &random) else { return }
        state.rollBack(Int.random(in: 0..<lastRows, using: &random))
    }
}

import LeapModels
import LeapOps
import Testing
import _LeapTestSupport

/// A state restored from segments is bit-identical to the state that they were taken from.
@Suite("State segments")
struct StateSegmentTests {
    /// Recurrent ones, of whose segments not all have an end, are the subject of ``RecurrentStateTests``.
    private static let models = Fixture.all.filter { !$0.isRecurrent }

    /// Tokens without a pattern, three whole segments and a part of one.
    private static let tokens = (0..<3 * StateSegment.length + 44).map { Int32(37 + $0 * $0 % 83) }

    @Test("a state restored at the end of any segment continues like the original", arguments: models, 0...3)
    func restored(_ fixture: Fixture, segmentCount: Int) throws {
        let model = try TestModel(fixture)
        let original = try model.makeState()
        var segments: [StateSegment] = []
        var expected: [Float] = []
        try forEachPass(of: Self.tokens[...]) { pass in
            expected = try model.logits(after: pass, state: original)
            segments += original.finishedSegments()
        }
        #expect(segments.count == 3)

        let restored = try model.makeState()
        restored.restore(segments.prefix(segmentCount))
        #expect(restored.position == segmentCount * StateSegment.length)
        var found: [Float] = []
        try forEachPass(of: Self.tokens[restored.position...]) {
            found = try model.logits(after: $0, state: restored)
        }
        #expect(found.map(\.bitPattern) == expected.map(\.bitPattern))
    }

    @Test("a state restored within a segment continues like the original and finishes the segment", arguments: models)
    func unfinished(_ fixture: Fixture) throws {
        let model = try TestModel(fixture)
        let original = try model.makeState()
        var segments: [StateSegment] = []
        for part in [Self.tokens[..<128], Self.tokens[128..<150]] {
            _ = try model.logits(after: Array(part), state: original)
            segments += original.finishedSegments()
        }
        let last = try #require(original.unfinishedSegment())
        #expect(last.count == 22 && last.byteCount == segments[0].byteCount)
        let kept = bytes(of: last)
        let rest = Array(Self.tokens[150..<300])
        let expected = try model.logits(after: rest, state: original)
        // Another thread may be writing it to a file.
        #expect(bytes(of: last) == kept)

        let restored = try model.makeState()
        for _ in 0..<2 {
            // A segment after an unfinished one is ignored.
            restored.restore(segments + [last, segments[0]])
            #expect(restored.position == 150)
            let found = try model.logits(after: rest, state: restored)
            #expect(found.map(\.bitPattern) == expected.map(\.bitPattern))
            #expect(restored.finishedSegments().map(bytes) == original.finishedSegments().map(bytes))
        }
        let stored = bytes(of: last).flatMap { $0 }
        func copy(_ count: Int) -> StateSegment? {
            stored.withUnsafeBytes { original.makeSegment(copying: $0, count: count) }
        }
        restored.restore(segments + [try #require(copy(22))])
        #expect(try model.logits(after: rest, state: restored) == expected)
        #expect([0, -1, 129].allSatisfy { copy($0) == nil })
    }

    @Test("continuing from segments does not change them", arguments: models)
    func untouched(_ fixture: Fixture) throws {
        let model = try TestModel(fixture)
        let original = try model.makeState()
        _ = try model.logits(after: Array(Self.tokens.prefix(StateSegment.length)), state: original)
        let segment = try #require(original.finishedSegments().last)
        // Both continue with different tokens, and one is restored and continues again.
        _ = try model.logits(after: [90, 91, 92], state: original)
        let other = try model.makeState()
        other.restore([segment])
        let first = try model.logits(after: [60, 61], state: other)
        other.restore([segment])
        #expect(try model.logits(after: [60, 61], state: other) == first)
    }

    @Test(
        "a pass over several segments gives the same segments as one pass for each",
        arguments: models, [[256, 172], [384, 44], [428], [100, 200, 128], [127, 2, 299]])
    func passes(_ fixture: Fixture, lengths: [Int]) throws {
        let model = try TestModel(fixture)
        var expected: [StateSegment] = []
        let original = try model.makeState()
        try forEachPass(of: Self.tokens[...]) {
            _ = try model.logits(after: $0, state: original)
            expected += original.finishedSegments()
        }
        var found: [StateSegment] = []
        let state = try model.makeState()
        for length in lengths {
            _ = try model.logits(after: Array(Self.tokens[state.position..<state.position + length]), state: state)
            found += state.finishedSegments()
        }
        #expect(found.count == 3)
        // Few rows are multiplied by other kernels than many, which round differently.
        if lengths.allSatisfy({ $0 > 8 }) { #expect(found.map(bytes) == expected.map(bytes)) }

        for count in 0...3 {
            let (restored, other) = try (model.makeState(), model.makeState())
            restored.restore(found.prefix(count))
            other.restore(expected.prefix(count))
            let next = Array(Self.tokens[restored.position...].prefix(20))
            let logits = try (model.logits(after: next, state: restored), model.logits(after: next, state: other))
            #expect(rootMeanSquareError(logits.0, logits.1) < 1e-3, "after segment \(count)")
        }
    }

    @Test("a segment that ends where another sequence's rows begin in the batch is finished too", arguments: models)
    func interrupted(_ fixture: Fixture) throws {
        let model = try TestModel(fixture)
        let (state, other, alone) = try (model.makeState(), model.makeState(), model.makeState())
        _ = try model.logits(after: Array(Self.tokens.prefix(300)), state: alone)
        var batch = Batch(of: .prompt)
        batch.append(tokens: Self.tokens[..<StateSegment.length], to: state, wantsLogits: false)
        batch.append(tokens: Self.tokens[..<7], to: other, wantsLogits: false)
        batch.append(tokens: Self.tokens[StateSegment.length..<300], to: state, wantsLogits: false)
        try model.model.forward(batch, model.compute)
        #expect(state.finishedSegments().map(bytes) == alone.finishedSegments().map(bytes))
    }

    @Test("a forked, restored or reset sequence has no finished segments")
    func elsewhere() throws {
        let model = try TestModel(Fixture(name: "lfm2-tied-f32"))
        let state = try model.makeState()
        _ = try model.logits(after: Array(Self.tokens.prefix(2 * StateSegment.length)), state: state)
        let segments = state.finishedSegments()
        #expect(segments.count == 2)
        #expect(state.fork().finishedSegments().isEmpty)
        state.restore(segments)
        #expect(state.finishedSegments().isEmpty)
        state.reset()
        #expect(state.finishedSegments().isEmpty)
    }

    private func bytes(of segment: StateSegment) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        segment.forEachPiece { pieces.append(Array($0)) }
        return pieces
    }

    @Test("a segment is finished only at its last token")
    func between() throws {
        let model = try TestModel(Fixture(name: "lfm2-tied-f32"))
        let state = try model.makeState()
        #expect(state.finishedSegments().last == nil)
        _ = try model.logits(after: Array(Self.tokens.prefix(StateSegment.length - 1)), state: state)
        #expect(state.finishedSegments().last == nil)
        _ = try model.logits(after: [50], state: state)
        #expect(state.finishedSegments().last != nil)
        _ = try model.logits(after: [50], state: state)
        #expect(state.finishedSegments().last == nil)
    }

    @Test("a segment's size is that of its keys, values and convolution inputs in the memory plan", arguments: models)
    func byteCount(_ fixture: Fixture) throws {
        let model = try TestModel(fixture)
        let state = try model.makeState()
        _ = try model.logits(after: Array(Self.tokens.prefix(StateSegment.length)), state: state)
        let plan = try model.model.memoryPlan(contextSize: StateSegment.length, model.compute)
        #expect(try #require(state.finishedSegments().last).byteCount == plan.stateBytes)
    }

    private func forEachPass(of tokens: ArraySlice<Int32>, _ body: ([Int32]) throws -> Void) throws {
        for start in stride(from: tokens.startIndex, to: tokens.endIndex, by: StateSegment.length) {
            try body(Array(tokens[start..<min(start + StateSegment.length, tokens.endIndex)]))
        }
    }
}

import LeapGGUF
import LeapOps
import Testing
import _LeapTestSupport

@testable import LeapModels

/// The state of layers with the gated delta rule, and of those with a state space, is a matrix per head, which is not a
/// sum of separate contributions of tokens.
@Suite("Recurrent states")
struct RecurrentStateTests {
    private static let models = Fixture.all.filter(\.isRecurrent)

    /// Tokens without a pattern, three whole segments and a part of one.
    private static let tokens = (0..<3 * StateSegment.length + 44).map { Int32(37 + $0 * $0 % 83) }

    private func segments(of model: TestModel, _ state: SequenceState, passes: [Int]) throws -> [StateSegment] {
        var segments: [StateSegment] = []
        for length in passes {
            _ = try model.logits(after: Array(Self.tokens[state.position..<state.position + length]), state: state)
            segments += state.finishedSegments()
        }
        return segments
    }

    @Test(
        "a sequence continues after the last segment with a stored end state, wherever passes ended", arguments: models)
    func ends(_ fixture: Fixture) throws {
        let model = try TestModel(fixture)
        for (passes, ends) in [
            ([428], [false, false, true]), ([256, 172], [false, true, true]), ([130, 298], [true, false, true]),
            ([100, 28, 300], [true, false, true]),
        ] {
            let original = try model.makeState()
            let segments = try segments(of: model, original, passes: passes)
            #expect(segments.map(\.hasEnd) == ends)
            for count in 0...3 {
                let restored = try model.makeState()
                restored.restore(segments.prefix(count))
                // Back to the last stored end state.
                let usable = (ends.prefix(count).lastIndex(of: true) ?? -1) + 1
                #expect(restored.position == usable * StateSegment.length)
                let rest = Array(Self.tokens[restored.position...])
                #expect(try model.logits(after: rest, state: restored) == model.logits(after: Self.tokens))
            }
        }
    }

    @Test("only the requested end states are kept, and segments without one are smaller", arguments: models)
    func endless(_ fixture: Fixture) throws {
        let model = try TestModel(fixture)
        let state = try model.makeState()
        _ = try model.logits(after: Array(Self.tokens.prefix(256)), state: state)
        let kept = state.finishedSegments { $0 == 256 }
        let none = state.finishedSegments { _ in false }
        #expect(kept.map(\.hasEnd) == [false, true] && none.map(\.hasEnd) == [false, false])
        #expect(kept[1].byteCount == state.segmentByteCount && none[1].byteCount == state.endlessSegmentByteCount)
        #expect(kept[1].withoutEnd().byteCount == none[1].byteCount)
        state.restore(none)
        #expect(state.position == 0)
    }

    @Test("segments survive serialisation, with and without an end state", arguments: models)
    func bytes(_ fixture: Fixture) throws {
        let model = try TestModel(fixture)
        let original = try model.makeState()
        let segments = try segments(of: model, original, passes: [256])
        let copies = try segments.map { segment in
            var bytes: [UInt8] = []
            segment.forEachPiece { bytes += $0 }
            #expect(bytes.count == segment.byteCount)
            #expect(bytes.dropLast().withUnsafeBytes { original.makeSegment(copying: $0) } == nil)
            return try #require(bytes.withUnsafeBytes { original.makeSegment(copying: $0) })
        }
        #expect(copies.map(\.hasEnd) == [false, true])
        let restored = try model.makeState()
        restored.restore(copies)
        #expect(restored.position == 256)
        let rest = Array(Self.tokens[256...])
        #expect(try model.logits(after: rest, state: restored) == model.logits(after: Self.tokens))
    }

    @Test("a rolled-back state can be forked and rolled back again", arguments: models)
    func repeated(_ fixture: Fixture) throws {
        let model = try TestModel(fixture)
        let state = try model.makeState()
        state.isReversible = true
        _ = try model.logits(after: Array(Self.tokens.prefix(150)), state: state)
        let answer = Array(Self.tokens[150..<158])
        let alone = try model.makeState()
        _ = try model.logits(after: Array(Self.tokens.prefix(150)), state: alone)
        let expected = try answer.map { try model.logits(after: [$0], .answer, state: alone) }
        for kept in 1...8 {
            _ = try model.allLogits(of: answer, state: state)
            // Twice: first the wrong rows, then the unwanted ones.
            state.rollBack((8 - kept + 1) / 2)
            state.rollBack((8 - kept) / 2)
            let fork = state.fork()
            if kept < 8 {
                #expect(try model.logits(after: [answer[kept]], .answer, state: fork) == expected[kept])
                fork.reset()
                #expect(try model.logits(after: [answer[kept]], .answer, state: state) == expected[kept])
                state.rollBack(1)
            }
            _ = try model.logits(after: [99], .answer, state: state)
            state.rollBack(1)
            state.restore([])
            _ = try model.logits(after: Array(Self.tokens.prefix(150)), state: state)
        }
    }

    @Test("a cancelled pass leaves a rolled-back state unchanged", arguments: models)
    func abandoned(_ fixture: Fixture) throws {
        let model = try TestModel(fixture)
        let (state, alone) = (try model.makeState(), try model.makeState())
        state.isReversible = true
        for each in [state, alone] { _ = try model.logits(after: Array(Self.tokens.prefix(20)), state: each) }
        _ = try model.allLogits(of: [60, 61, 62], state: state)
        state.rollBack(2)
        for layer in 0..<2 {
            var batch = Batch(of: .answer)
            for token in [70, 71] as [Int32] { batch.append(token: token, to: state, wantsLogits: true) }
            #expect(throws: ModelError.self) {
                try model.model.forward(batch, model.compute, observer: { number, _, _ in number < layer })
            }
        }
        let expected = try [60, 63].map { try model.logits(after: [$0], .answer, state: alone) }
        #expect(try model.logits(after: [63], .answer, state: state) == expected[1])
    }

    @Test(
        "returning to a mark restores a sequence: when empty, within a text, and after a rollback",
        arguments: ["qwen35-f32", "granitehybrid-f32", "lfm2-tied-f32", "gemma3-f32"].map(Fixture.init),
        [0, 20, 127, 150])
    func marks(_ fixture: Fixture, position: Int) throws {
        let model = try TestModel(fixture)
        let (state, alone) = (try model.makeState(), try model.makeState())
        state.isReversible = true
        for each in [state, alone] where position > 0 {
            _ = try model.logits(after: Array(Self.tokens.prefix(position)), state: each)
        }
        for wrong in 0..<3 {
            if position > 0 {
                _ = try model.allLogits(of: [60, 61, 62], state: state)
                state.rollBack(3)
            }
            #expect(state.mark(room: 4))
            for token in [80, 81, 82, 83].prefix(wrong + 2) as ArraySlice<Int32> {
                _ = try model.logits(after: [token], .answer, state: state)
            }
            state.returnToMark()
            #expect(state.position == position)
        }
        for token in [60, 63, 64] as [Int32] {
            let expected = try model.logits(after: [token], .answer, state: alone)
            #expect(try model.logits(after: [token], .answer, state: state) == expected)
        }
    }

    @Test("the memory plan counts a recurrent state twice: the current one and that before the last pass")
    func plan() throws {
        let model = try TestModel(Fixture(name: "qwen35-f32"))
        // Four layers: 3 rows of 160 channels, and 4 matrices of 20 × 20, whose columns fill two blocks of 16.
        let memory = (3 * 160 + 4 * 20 * 32) * 4
        let keysAndValues = 2 * 128 * 2 * 20 * 4
        #expect(model.model.stateBytes(positions: 1) - keysAndValues == 4 * 2 * memory)
        #expect(model.model.stateBytes(positions: 512) == 4 * 2 * memory + 4 * keysAndValues)
    }

    @Test("the memory plan of a state space follows from its sizes")
    func planOfStateSpace() throws {
        let model = try TestModel(Fixture(name: "granitehybrid-f32"))
        // Five layers: 3 rows of 40 + 2 · 2 · 11 channels, and 4 matrices of 11 × 10, whose columns fill a block of 16.
        let memory = (3 * 84 + 4 * 11 * 16) * 4
        let keysAndValues = 2 * 128 * 2 * 10 * 4
        #expect(model.model.stateBytes(positions: 1) - keysAndValues == 5 * 2 * memory)
        #expect(model.model.stateBytes(positions: 512) == 5 * 2 * memory + 4 * keysAndValues)
    }
}

import LeapTokenizer
import Testing

@testable import LeapGeneration

/// Text and audio alternate as in transcripts of the vendor's generation loops.
@Suite("Speech loop")
struct SpeechLoopTests {
    private static let marks = SpeechMarks(start: 128, textEnd: 130)
    private static let end: Token = 7
    private static let endFrame = 2048

    /// The output of a loop whose sampler returns given numbers in order, until they are used up or the answer ends:
    /// `T300 A5`.
    private func transcript(_ order: SpeechOrder, _ script: [Int]) -> [String] {
        var loop = SpeechLoop(order, Self.marks)
        var emitted: [String] = []
        for number in script {
            guard !loop.isOver else { break }
            if loop.isSounding {
                emitted.append("A\(number)")
                loop.take(frameThatEnds: number == Self.endFrame)
            } else if number == Int(Self.end) {
                break
            } else {
                emitted.append("T\(number)")
                loop.take(Token(number))
            }
        }
        return emitted
    }

    private func words(_ numbers: [Int]) -> [String] { numbers.map { "T\($0)" } }
    private func sounds(_ numbers: [Int]) -> [String] { numbers.map { "A\($0)" } }

    @Test("six text tokens and twelve audio frames alternate")
    func turns() {
        let script = Array(300..<354)
        var expected: [String] = []
        for start in [300, 318, 336] {
            expected += words(Array(start..<start + 6)) + sounds(Array(start + 6..<start + 18))
        }
        #expect(transcript(.interleaved, script) == expected)
    }

    @Test("after an early end of audio, more text tokens follow")
    func earlyEnd() {
        let script = Array(300..<306) + [1, 2, 3, 2048] + Array(306..<314) + Array(1..<13) + [314]
        let expected =
            words(Array(300..<306)) + sounds([1, 2, 3, 2048]) + words(Array(306..<314)) + sounds(Array(1..<13))
            + words([314])
        #expect(transcript(.interleaved, script) == expected)
    }

    @Test("after the end of the text, audio continues without limit")
    func textEnd() {
        let script = [300, 301, 130] + Array(1..<16) + [2048, 7, 8]
        #expect(
            transcript(.interleaved, script) == words([300, 301, 130]) + sounds(Array(1..<16)) + ["A2048"])
    }

    @Test("another text token after the end starts audio once more, but ends the text")
    func afterthought() {
        let script = [300, 130, 1, 2048, 301, 3, 4, 2048]
        let expected = ["T300", "T130", "A1", "A2048", "T301", "A3", "A4", "A2048"]
        #expect(transcript(.interleaved, script + [7]) == expected)
        #expect(transcript(.interleaved, script + [302, 5, 2048]) == expected)
    }

    @Test("in sequential order, audio begins after its mark and ends with its end frame")
    func sequential() {
        #expect(
            transcript(.sequential, [300, 128, 1, 2, 2048, 301, 7]) == ["T300", "T128", "A1", "A2", "A2048", "T301"])
        #expect(transcript(.sequential, [300, 130, 301, 7]) == ["T300", "T130", "T301"])
        #expect(transcript(.sequential, [128, 2048, 128, 5]) == ["T128", "A2048", "T128", "A5"])
    }
}

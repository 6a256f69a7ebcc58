import Foundation
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import Testing
import _LeapTestSupport

@Suite("Evaluation")
struct EvaluationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let tokens: [Int32] = (0..<96).map { Int32($0 * 37 % 380) }

    private func model(_ name: String) throws -> LanguageModel {
        try LanguageModel.load(GGUFFile(path: Fixture(name: name).path))
    }

    /// Writes a model's log probabilities of the tokens.
    private func write(_ model: LanguageModel, _ compute: Compute) throws -> String {
        let path = folder.path("base.kld")
        let writer = try LogProbabilityWriter(
            path: path, contextSize: 32, vocabularySize: model.configuration.vocabularySize, tokens: Self.tokens)
        for window in 0..<3 {
            try TextWindow(Array(Self.tokens[window * 32..<(window + 1) * 32]), beginning: nil).score(model, compute) {
                row, _ in try? writer.append(row)
            }
        }
        try writer.finish()
        return path
    }

    private func divergence(_ path: String, _ model: LanguageModel, _ compute: Compute) throws -> Divergence {
        let base = try LogProbabilityFile(path: path)
        var divergence = Divergence()
        for window in 0..<base.windows {
            var index = 0
            let part = Array(base.tokens[window * 32..<(window + 1) * 32])
            try TextWindow(part, beginning: nil).score(model, compute) { row, target in
                divergence.add(row, base.row(index, window: window), target)
                index += 1
            }
        }
        return divergence
    }

    @Test("The divergence of a model from itself is near zero, and from another model it is not")
    func divergence() throws {
        let compute = Compute()
        let model = try model("llama-rope-linear-f32")
        let path = try write(model, compute)
        let own = try divergence(path, model, compute)
        #expect(own.count == 3 * 15)
        // Log-probabilities are written in steps of 2⁻¹² at most.
        #expect(abs(own.mean.value) < 1e-4)
        #expect(own.agreement.value > 0.97)
        let other = try divergence(path, self.model("llama-rope-yarn-f32"), compute)
        #expect(other.mean.value > 0.01)
        #expect(other.agreement.value < own.agreement.value)
        #expect(own.statistics.map(\.title).count == 3)
        #expect(correlation(own).map { $0 > 0.99 } == true)
    }

    @Test("Losses that do not vary have no correlation")
    func withoutCorrelation() { #expect(correlation(Divergence()) == nil) }

    private func correlation(_ divergence: Divergence) -> Double? {
        divergence.statistics[0].lines.first { $0.name.hasPrefix("Cor(") }?.estimate.value
    }

    @Test("A truncated or invalid file is refused")
    func faults() throws {
        let path = try write(model("llama-rope-linear-f32"), Compute())
        let bytes = Array(try Data(contentsOf: URL(filePath: path)))
        for count in [1, 8, 19, 20, 100, bytes.count - 1] {
            let cut = try folder.write("cut", bytes.prefix(count))
            #expect(throws: LogProbabilityError.self) { _ = try LogProbabilityFile(path: cut) }
        }
        let long = try folder.write("long", bytes + [0, 0])
        #expect(throws: LogProbabilityError.self) { _ = try LogProbabilityFile(path: long) }
        for (offset, value) in [(0, UInt8(0)), (11, 0x7F), (15, 0x7F), (19, 0x7F), (19, 0xFF), (23, 0xFF)] {
            var damaged = bytes
            damaged[offset] = value
            let path = try folder.write("damaged", damaged)
            #expect(throws: LogProbabilityError.self) { _ = try LogProbabilityFile(path: path) }
        }
    }

    /// Scales, which a row begins with, and smallest log-probabilities, which follow.
    private static let impossible: [(offset: Int, value: Float)] = [
        (0, .nan), (0, .infinity), (0, 1e38), (0, 1), (0, -1e-4), (4, .nan), (4, -.infinity), (4, 0), (4, 800),
    ]

    @Test(
        "A row with values that are not finite or above 0 is an error that names its window",
        arguments: impossible.indices)
    func impossibleRow(index: Int) throws {
        let (offset, value) = Self.impossible[index]
        let path = try write(model("llama-rope-linear-f32"), Compute())
        var bytes = try Data(contentsOf: URL(filePath: path))
        let sound = try LogProbabilityFile(path: path)
        for window in 0..<sound.windows { try sound.check(window: window) }
        // In the first row of the last of three windows of equal size.
        let rows = LogProbabilityFile.byteCount(
            windows: 3, contextSize: 32, vocabularySize: sound.vocabularySize)
        let place = bytes.count - rows / 3 + offset
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.replaceSubrange(place..<place + 4, with: $0) }
        let damaged = try LogProbabilityFile(path: folder.write("damaged", bytes))
        try damaged.check(window: 1)
        let error = try #require(throws: LogProbabilityError.self) { try damaged.check(window: 2) }
        #expect(error.description.contains("damaged") && error.description.contains("window 2"))
    }

    @Test("The Mersenne Twister gives the reference value of the C++ standard")
    func mersenneTwister() {
        var random = MersenneTwister(seed: 5_489)
        let last = (0..<10_000).map { _ in random.next() }.last
        // The C++ standard, [rand.predef]: the 10,000th number of the default seed.
        #expect(last == 4_123_659_995)
    }

    @Test("Only the differing part of answers is scored, and answers without a difference are refused")
    func choices() throws {
        #expect(ChoiceTask([[1, 2, 3], [1, 2, 4, 5]])?.commonCount == 2)
        #expect(ChoiceTask([[1, 2, 3], [1, 2, 3]]) == nil)
        #expect(ChoiceTask([[1, 2], [1, 2, 3], [1, 2, 3, 4]])?.commonCount == 1)
        #expect(ChoiceTask([[1], [2]]) == nil)
        #expect(ChoiceTask([[1, 2]]) == nil)
        let task = try #require(ChoiceTask([[1, 2, 3, 9], [1, 2, 4, 5]]))
        let model = try model("llama-rope-linear-f32")
        let scores = try task.scores(model, Compute())
        #expect(scores.allSatisfy { $0 < 0 && $0.isFinite })
        #expect(scores[0] != scores[1])
    }

    @Test(
        "Continuations are scored as if each was read alone, although their beginning is read once",
        arguments: ["llama-rope-linear-f32", "lfm2-tied-f32"])
    func sharedBeginning(name: String) throws {
        let (model, compute) = (try model(name), Compute(threads: 1))
        let common = (0..<150).map { Int32($0 * 7 % 100 + 3) }
        let choices = [common + [5, 6, 7], common + [8], common + [5, 9]]
        let task = try #require(ChoiceTask(choices))
        #expect(task.commonCount == 150)
        let expected = try choices.map { choice in
            var batch = Batch(of: .prompt, scoresText: true)
            let state = try model.makeState(capacity: choice.count)
            for (index, token) in choice.dropLast().enumerated() {
                batch.append(token: token, to: state, wantsLogits: index >= 149)
            }
            return try model.forward(batch, compute) { logits in
                (0..<logits.rowCount).reduce(0.0) { sum, row in
                    let values = UnsafeBufferPointer(logits[row])
                    return sum + LogSoftmax(values)[values, choice[150 + row]]
                } / Double(choice.count - 150)
            }
        }
        #expect(try task.scores(model, compute) == expected)
    }

    @Test("An accuracy has its uncertainty and confidence interval")
    func accuracy() {
        var accuracy = Accuracy()
        for index in 0..<100 { accuracy.add(isCorrect: index < 40, chance: 0.25) }
        #expect(abs(accuracy.share - 0.4) < 1e-12)
        #expect(abs(accuracy.chance - 0.25) < 1e-12)
        #expect(abs(accuracy.uncertainty - 0.0492) < 1e-4)
        // Wilson's interval of 40 in 100.
        #expect(abs(accuracy.interval.lowerBound - 0.3094) < 1e-3)
        #expect(abs(accuracy.interval.upperBound - 0.4980) < 1e-3)
    }
}

import Foundation
import LeapGeneration
import Testing
import _LeapTestSupport

@Suite("Sampler")
struct SamplerTests {
    private static let configurations: [SamplerConfiguration] = [
        SamplerConfiguration(temperature: 1),
        SamplerConfiguration(temperature: 0.7),
        SamplerConfiguration(temperature: 2.5),
        SamplerConfiguration(temperature: 1, topK: 1),
        SamplerConfiguration(temperature: 1, topK: 5),
        SamplerConfiguration(temperature: 1, topK: 1000),
        SamplerConfiguration(temperature: 1, topP: 0.5),
        SamplerConfiguration(temperature: 1, topP: 0.999),
        SamplerConfiguration(temperature: 1, topP: 0),
        SamplerConfiguration(temperature: 1, minP: 0.2),
        SamplerConfiguration(temperature: 1, minP: 7),
        SamplerConfiguration(temperature: 1, repetitionPenalty: 1.5),
        SamplerConfiguration(temperature: 1, repetitionPenalty: 0.5),
        SamplerConfiguration(temperature: 1, frequencyPenalty: 0.6, presencePenalty: -0.4),
        SamplerConfiguration(
            temperature: 0.8, topK: 12, topP: 0.9, minP: 0.05, repetitionPenalty: 1.1, frequencyPenalty: 0.1,
            presencePenalty: 0.1),
        with { $0.logitBias = [0: 4, 5: -.infinity, 39: -1.5, 77: 9] },
        with { $0.dry = DRYSettings(multiplier: 0.8) },
        with { $0.dry = DRYSettings(multiplier: 0.5, base: 2, allowedLength: 1, breakers: [7]) },
        with { ($0.xtcProbability, $0.xtcThreshold) = (0.5, 0.03) },
        with { ($0.xtcProbability, $0.xtcThreshold, $0.topK) = (1, 0.02, 20) },
        with { ($0.xtcProbability, $0.xtcThreshold, $0.temperature) = (1, 0, 0.5) },
        with { ($0.xtcProbability, $0.xtcThreshold) = (1, 0.6) },
        with { $0.topNSigma = 0.6 },
        with { ($0.topNSigma, $0.temperature) = (1.3, 2) },
        with { ($0.topNSigma, $0.topK) = (.infinity, 9) },
        with { $0.typicalP = 0.2 },
        with { $0.typicalP = 0.7 },
        with { $0.typicalP = 0 },
        with { ($0.typicalP, $0.topK, $0.temperature) = (0.5, 25, 0.6) },
        with { ($0.topNSigma, $0.typicalP, $0.topP, $0.minP) = (2, 0.9, 0.9, 0.1) },
        with { ($0.typicalP, $0.xtcProbability, $0.xtcThreshold) = (0.9, 0.5, 0.02) },
        // With a learning rate of 0, every draw has the distribution of the first.
        with { $0.mirostat = MirostatSettings(version: .v1, target: 1.9, learningRate: 0) },
        with { $0.mirostat = MirostatSettings(version: .v2, target: 1.9, learningRate: 0) },
        with {
            ($0.mirostat, $0.temperature) = (MirostatSettings(version: .v2, target: 2.2, learningRate: 0), 1.7)
            ($0.topK, $0.presencePenalty) = (1, 0.5)
        },
    ]

    private static func with(_ change: (inout SamplerConfiguration) -> Void) -> SamplerConfiguration {
        var configuration = SamplerConfiguration(temperature: 1)
        change(&configuration)
        return configuration
    }

    /// 40 logits of both signs, with ties.
    private static let logits: [Float] = (0..<40).map { Float(($0 * 37 + 11) % 23) * 0.25 - 2 }
    private static let recent: [Int32] = [3, 3, 7, 11, 3, 39]

    @Test("draws follow the distribution that the configuration describes", arguments: configurations)
    func distribution(_ configuration: SamplerConfiguration) throws {
        let expected = ReferenceSampler(configuration: configuration, recent: Self.recent.map(Int.init))
            .distribution(Self.logits)
        let draws = 20_000
        var counts = [Int](repeating: 0, count: Self.logits.count)
        var sampler = try Sampler(configuration: configuration, seed: 42)
        Self.recent.forEach { sampler.accept($0) }
        for _ in 0..<draws { counts[Int(try sampler.draw(Self.logits))] += 1 }

        var statistic = 0.0
        for (count, p) in zip(counts, expected) {
            if p == 0 {
                #expect(count == 0)
            } else {
                statistic += pow(Double(count) - p * Double(draws), 2) / (p * Double(draws))
            }
        }
        let degrees = Double(expected.count { $0 > 0 } - 1)
        #expect(statistic <= Self.chiSquareBound(degrees: degrees))
    }

    /// The value that a chi-square statistic exceeds once in a million runs, by the Wilson–Hilferty approximation.
    private static func chiSquareBound(degrees: Double) -> Double {
        guard degrees > 0 else { return 0 }
        let normalQuantile = 4.753
        let spread = 2 / (9 * degrees)
        return degrees * pow(1 - spread + normalQuantile * spread.squareRoot(), 3)
    }

    @Test("the chi-square test detects another temperature")
    func chiSquareCanFail() throws {
        let expected = ReferenceSampler(configuration: SamplerConfiguration(temperature: 1)).distribution(Self.logits)
        var sampler = try Sampler(configuration: SamplerConfiguration(temperature: 1.1), seed: 42)
        var counts = [Int](repeating: 0, count: Self.logits.count)
        for _ in 0..<20_000 { counts[Int(try sampler.draw(Self.logits))] += 1 }
        let statistic = zip(counts, expected).map { pow(Double($0) - $1 * 20_000, 2) / ($1 * 20_000) }.reduce(0, +)
        #expect(statistic > Self.chiSquareBound(degrees: 39))
    }

    @Test("a large vocabulary is filtered to the same tokens as by sorting", arguments: configurations)
    func largeVocabulary(_ configuration: SamplerConfiguration) throws {
        var generator = SeededRandomNumberGenerator(seed: 9)
        let logits = (0..<3000).map { _ in Float(Int(generator.next() % 4000)) / 200 - 8 }
        let expected = ReferenceSampler(configuration: configuration).distribution(logits)
        var sampler = try Sampler(configuration: configuration, seed: 3)
        for _ in 0..<300 { #expect(expected[Int(try sampler.draw(logits))] > 0) }
    }

    @Test(
        "a nearly flat distribution is filtered to the same tokens as by sorting",
        arguments: configurations + [
            SamplerConfiguration(temperature: 0.7, topK: 2000),
            SamplerConfiguration(temperature: 0.7, topK: 2000, topP: 0.8),
            SamplerConfiguration(temperature: 0.7, topK: 2000, topP: 0.8, minP: 0.999),
        ])
    func flatVocabulary(_ configuration: SamplerConfiguration) throws {
        var generator = SeededRandomNumberGenerator(seed: 9)
        let logits = (0..<3000).map { _ in Float(generator.next() % 100_000) / 10_000_000 }
        let expected = ReferenceSampler(configuration: configuration).distribution(logits)
        var sampler = try Sampler(configuration: configuration, seed: 3)
        var drawn = Set<Int32>()
        for _ in 0..<20_000 { drawn.insert(try sampler.draw(logits)) }
        #expect(drawn.allSatisfy { expected[Int($0)] > 0 })
        // Each of n tokens is missed with a probability of about exp(-20,000 / n), unless a bias takes most draws.
        guard configuration.logitBias.isEmpty else { return }
        let kept = expected.count { $0 > 0 }
        #expect(drawn.count >= kept - kept / 100 - 1)
    }

    @Test("the same seed draws the same tokens, another seed others")
    func seeds() throws {
        let configuration = SamplerConfiguration(temperature: 1)
        func tokens(seed: UInt64) throws -> [Int32] {
            var sampler = try Sampler(configuration: configuration, seed: seed)
            return try (0..<50).map { _ in try sampler.draw(Self.logits) }
        }
        #expect(try tokens(seed: 7) == tokens(seed: 7))
        #expect(try tokens(seed: 7) != tokens(seed: 8))
    }

    @Test("draws are the same on every platform")
    func fixedDraws() throws {
        var sampler = try Sampler(configuration: SamplerConfiguration(temperature: 0.8, topK: 20, topP: 0.95), seed: 1)
        let tokens = try (0..<12).map { _ in try sampler.draw(Self.logits) }
        #expect(tokens == [27, 12, 15, 4, 4, 12, 30, 27, 32, 35, 4, 22])
    }

    @Test("equal logits are ordered by token id")
    func ties() throws {
        var sampler = try Sampler(configuration: .greedy, seed: 0)
        #expect(try sampler.draw([1, 5, 5, 5, 2]) == 1)
        var two = try Sampler(configuration: SamplerConfiguration(temperature: 1, topK: 2), seed: 0)
        let drawn = try Set((0..<200).map { _ in try two.draw([Float](repeating: 0.5, count: 500)) })
        #expect(drawn == [0, 1])
    }

    @Test("tokens that leave the window are no longer penalised")
    func window() throws {
        var configuration = SamplerConfiguration.greedy
        configuration.presencePenalty = 10
        configuration.penaltyWindow = 2
        var sampler = try Sampler(configuration: configuration, seed: 0)
        sampler.accept(2)
        #expect(try sampler.draw([0, 1, 2]) == 1)
        sampler.accept(1)
        #expect(try sampler.draw([0, 1, 2]) == 0)
        sampler.accept(1)
        #expect(try sampler.draw([0, 1, 2]) == 2)
    }

    @Test("penalties count the tokens of a long history within the window", arguments: [1, 7, 64, 1000])
    func longHistory(_ window: Int) throws {
        var configuration = SamplerConfiguration(temperature: 0, frequencyPenalty: 0.25, penaltyWindow: window)
        configuration.presencePenalty = 0.5
        var sampler = try Sampler(configuration: configuration, seed: 0)
        var generator = SeededRandomNumberGenerator(seed: 4)
        var history: [Int] = []
        let logits = (0..<40).map { Float($0) * 0.125 }
        for _ in 0..<500 {
            let token = Int(generator.next() % 40)
            history.append(token)
            sampler.accept(Int32(token))
            let expected = ReferenceSampler(configuration: configuration, recent: history.suffix(window))
                .distribution(logits)
            #expect(expected[Int(try sampler.draw(logits))] == 1)
        }
    }

    @Test(
        "DRY finds the longest repetition of a long history",
        arguments: [
            DRYSettings(multiplier: 0.3, base: 1.2, allowedLength: 2), DRYSettings(multiplier: 1, allowedLength: 1),
            DRYSettings(multiplier: 1, allowedLength: 0, window: 17),
            DRYSettings(multiplier: 0.7, base: 1, allowedLength: 3, breakers: [0]),
            DRYSettings(multiplier: 1, window: 1),
        ])
    func repetitions(_ dry: DRYSettings) throws {
        var configuration = SamplerConfiguration.greedy
        configuration.dry = dry
        var sampler = try Sampler(configuration: configuration, seed: 0)
        var generator = SeededRandomNumberGenerator(seed: 4)
        var history: [Int] = []
        for _ in 0..<200 {
            // Three tokens repeat all the time.
            let token = Int(generator.next() % 3)
            history.append(token)
            sampler.accept(Int32(token))
            let logits = (0..<4).map { _ in Float(generator.next() % 1000) / 200 }
            let expected = ReferenceSampler(configuration: configuration, recent: history).distribution(logits)
            #expect(expected[Int(try sampler.draw(logits))] == 1)
        }
    }

    @Test("tokens outside the vocabulary do not disturb the penalties")
    func foreignTokens() throws {
        var configuration = SamplerConfiguration.greedy
        configuration.repetitionPenalty = 2
        configuration.dry = DRYSettings(multiplier: 1, allowedLength: 1)
        configuration.logitBias = [-1: 100, .max: 100]
        var sampler = try Sampler(configuration: configuration, seed: 0)
        for token: Int32 in [-1, 3, .max, .min] { sampler.accept(token) }
        #expect(try sampler.draw([0, 1, 2]) == 2)
    }
}

extension Sampler {
    /// Draws from a copy of the logits, because a sampler changes them in place.
    mutating func draw(_ logits: [Float]) throws -> Int32 {
        var copy = logits
        return try copy.withUnsafeMutableBufferPointer { try sample($0) }
    }
}

import Foundation
import LeapGeneration
import Testing

@Suite("Sampler with degenerate input")
struct SamplerEdgeCaseTests {
    private static let rows: [[Float]] = [
        [0], [.infinity], [-1e38],
        [Float](repeating: 3, count: 100),
        [.nan, 1, .nan], [-.infinity, -.infinity, 2], [.infinity, 1, .infinity], [.infinity, .nan, -.infinity],
        [.greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0],
        (0..<300).map { $0 % 3 == 0 ? .nan : Float($0) },
    ]
    private static let values: [Float] = [
        0, 1, -1, 1e-30, 1e30, -1e30, .infinity, -.infinity, .leastNonzeroMagnitude,
    ]

    @Test("every finite setting chooses a token with a usable logit", arguments: rows)
    func alwaysInRange(_ row: [Float]) throws {
        for temperature in Self.values {
            for topK in [0, 1, 2, -5, 1_000_000, .max] {
                for value in Self.values {
                    let configuration = SamplerConfiguration(
                        temperature: temperature, topK: topK, topP: value, minP: value)
                    try check(configuration, row)
                }
            }
        }
    }

    @Test("every penalty chooses a token or reports that none is left", arguments: rows)
    func penalties(_ row: [Float]) throws {
        for penalty: Float in [1e-38, 0.5, 2, 3e38] {
            for offset: Float in [0, -1e38, 1e38] {
                let configuration = SamplerConfiguration(
                    temperature: 1, repetitionPenalty: penalty, frequencyPenalty: offset, presencePenalty: offset,
                    penaltyWindow: 4)
                var sampler = try Sampler(configuration: configuration, seed: 5)
                for token in Int32(0)..<8 { sampler.accept(token % 3) }
                do {
                    #expect(row.indices.contains(Int(try sampler.draw(row))))
                } catch {
                    #expect(error as? SamplerError == .noCandidate(vocabularySize: row.count))
                }
            }
        }
    }

    @Test("every logit bias, DRY and XTC setting chooses a token or reports that none is left", arguments: rows)
    func furtherSteps(_ row: [Float]) throws {
        for value in Self.values {
            for multiplier: Float in [0, 1, 3e38] {
                var configuration = SamplerConfiguration(temperature: 1)
                configuration.logitBias = [0: value, 1: -value]
                configuration.dry = DRYSettings(multiplier: multiplier, base: 3e38, allowedLength: .min)
                (configuration.xtcProbability, configuration.xtcThreshold) = (value, value)
                var sampler = try Sampler(configuration: configuration, seed: 5)
                for token in Int32(0)..<40 { sampler.accept(token % 3) }
                do {
                    let token = Int(try sampler.draw(row))
                    #expect(row.indices.contains(token) && row[token] > -.infinity)
                } catch {
                    #expect(error as? SamplerError == .noCandidate(vocabularySize: row.count))
                }
            }
        }
    }

    @Test("every top-n-sigma, typical-p and mirostat setting chooses a token with a usable logit", arguments: rows)
    func furtherFilters(_ row: [Float]) throws {
        for value in Self.values {
            for temperature: Float in [1e-3, 1, .infinity] {
                var configuration = SamplerConfiguration(temperature: temperature)
                (configuration.topNSigma, configuration.typicalP) = (value, value)
                try check(configuration, row)
                for version in [MirostatSettings.Version.v1, .v2] where value >= 0 && value.isFinite {
                    configuration.mirostat = MirostatSettings(version: version, target: value, learningRate: 1)
                    try check(configuration, row)
                    configuration.mirostat = MirostatSettings(version: version, target: 1, learningRate: value)
                    try check(configuration, row)
                }
            }
        }
    }

    private func check(_ configuration: SamplerConfiguration, _ row: [Float]) throws {
        var sampler = try Sampler(configuration: configuration, seed: 5)
        for _ in 0..<3 {
            let token = Int(try sampler.draw(row))
            #expect(row.indices.contains(token) && row[token] > -.infinity, "\(configuration)")
        }
    }

    @Test(
        "a row without a usable logit is an error",
        arguments: [[], [.nan], [-.infinity], [.nan, -.infinity, .nan]] as [[Float]])
    func nothingToChoose(_ row: [Float]) throws {
        for configuration in [
            .greedy, SamplerConfiguration(temperature: 1),
            SamplerConfiguration(temperature: 1, topK: 3, topP: 0.5, minP: 0.1),
            SamplerConfiguration(temperature: 1, topP: 0.5), SamplerConfiguration(temperature: 1, minP: 0.1),
        ] {
            var sampler = try Sampler(configuration: configuration, seed: 5)
            #expect(throws: SamplerError.noCandidate(vocabularySize: row.count)) { try sampler.draw(row) }
        }
    }

    @Test(
        "invalid settings are refused by name",
        arguments: [
            (SamplerConfiguration(temperature: .nan), "the temperature must be a number, found nan."),
            (SamplerConfiguration(topP: .nan), "the top-p must be a number, found nan."),
            (SamplerConfiguration(minP: .nan), "the min-p must be a number, found nan."),
            (
                SamplerConfiguration(repetitionPenalty: 0),
                "the repetition penalty must be a finite number above 0, found 0.0."
            ),
            (
                SamplerConfiguration(repetitionPenalty: -1),
                "the repetition penalty must be a finite number above 0, found -1.0."
            ),
            (
                SamplerConfiguration(repetitionPenalty: Float(1e308)),
                "the repetition penalty must be a finite number above 0, found inf."
            ),
            (
                SamplerConfiguration(frequencyPenalty: .infinity),
                "the frequency penalty must be a finite number, found inf."
            ),
            (
                SamplerConfiguration(presencePenalty: -.infinity),
                "the presence penalty must be a finite number, found -inf."
            ),
            (
                SamplerConfiguration(logitBias: [7: .nan]), "the logit bias of token 7 must be a number, found nan."
            ),
            (
                SamplerConfiguration(dry: DRYSettings(multiplier: -1)),
                "the DRY multiplier must be a finite number of at least 0, found -1.0."
            ),
            (
                SamplerConfiguration(dry: DRYSettings(multiplier: 1, base: 0.5)),
                "the DRY base must be a finite number of at least 1, found 0.5."
            ),
            (SamplerConfiguration(xtcProbability: .nan), "the XTC probability must be a number, found nan."),
            (SamplerConfiguration(xtcThreshold: .nan), "the XTC threshold must be a number, found nan."),
            (SamplerConfiguration(typicalP: .nan), "the typical-p must be a number, found nan."),
            (SamplerConfiguration(topNSigma: .nan), "the top-n-sigma must be a number, found nan."),
            (
                SamplerConfiguration(mirostat: MirostatSettings(version: .v2, target: -1)),
                "the mirostat target must be a finite number of at least 0, found -1.0."
            ),
            (
                SamplerConfiguration(mirostat: MirostatSettings(version: .v1, learningRate: .infinity)),
                "the mirostat learning rate must be a finite number of at least 0, found inf."
            ),
        ])
    func refused(_ configuration: SamplerConfiguration, _ text: String) {
        #expect {
            try Sampler(configuration: configuration, seed: 0)
        } throws: { error in
            "\(error)" == text && error.localizedDescription == text
        }
    }

    @Test("the error for an unusable row names possible causes")
    func noCandidateText() {
        #expect(
            "\(SamplerError.noCandidate(vocabularySize: 3))"
                == "none of the 3 tokens can be sampled: every logit is NaN or -inf. "
                + "The logit biases exclude every possible token, the model's weights are damaged, or the computation "
                + "overflowed.")
    }
}

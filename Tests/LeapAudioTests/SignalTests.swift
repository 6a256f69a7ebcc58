import Foundation
import LeapAudio
import Testing
import _LeapTestSupport

/// The preprocessing of samples for audio encoders, compared with its definition in double precision.
@Suite("Signal processing")
struct SignalTests {
    private struct Index: Decodable {
        struct Rate: Decodable {
            let rate: Int
            let samples: AudioFixtureArray
        }
        struct Spectrogram: Decodable {
            let samples: Int
            let frames: AudioFixtureArray
        }
        let resampledFrom: Int
        let rates: [Rate]
        let spectrograms: [Spectrogram]
    }

    private let index: Index
    private let floats: [Float]

    init() throws {
        let folder = Fixture.folder.appending(path: "audio")
        index = try JSONDecoder().decode(Index.self, from: Data(contentsOf: folder.appending(path: "signals.json")))
        let data = try Data(contentsOf: folder.appending(path: "signals.f32.bin"))
        floats = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    @Test("resampling matches the definition, with the same length")
    func resampling() {
        let sound = formulaSound(index.resampledFrom)
        for rate in index.rates {
            let expected = rate.samples.values(of: floats)
            let resampler = Resampler(from: rate.rate, to: LogMelSpectrogram.sampleRate)
            let found = resampler(sound)
            #expect(found.count == expected.count && resampler.count(of: sound.count) == expected.count)
            let difference = zip(found, expected).map { abs($0 - $1) }.max() ?? 1
            #expect(difference <= 3e-7, "\(rate.rate): \(difference)")
        }
    }

    @Test("resampling to the same rate and of no samples changes nothing")
    func trivial() {
        let samples: [Float] = [0.5, -0.25, 1]
        #expect(Resampler(from: 16_000, to: 16_000)(samples) == samples)
        #expect(Resampler(from: 44_100, to: 16_000)([]) == [])
        #expect(Resampler(from: 8_000, to: 16_000)([0]) == [0, 0])
    }

    @Test("a tone keeps its frequency and its loudness")
    func tone() {
        let tone = (0..<44_100).map { Float(sin(2 * .pi * 1000 * Double($0) / 44_100)) }
        let found = Resampler(from: 44_100, to: 16_000)(tone)
        #expect(found.count == 16_000)
        for index in 200..<15_800 {
            #expect(abs(Double(found[index]) - sin(2 * .pi * 1000 * Double(index) / 16_000)) < 2e-3)
        }
    }

    @Test("spectrogram frames match the definition")
    func spectrogram() {
        for spectrogram in index.spectrograms {
            let expected = spectrogram.frames.values(of: floats)
            let bands = spectrogram.frames.shape[1]
            let found = LogMelSpectrogram(bands: bands)(formulaSound(spectrogram.samples))
            #expect(found.count == expected.count)
            #expect(LogMelSpectrogram.frames(ofSamples: spectrogram.samples) * bands == expected.count)
            let difference = zip(found, expected).map { abs($0 - $1) }.max() ?? 1
            #expect(difference <= 5e-6, "\(difference)")
        }
    }

    @Test("silence of any length gives a finite spectrogram near zero", arguments: [320, 321, 1_599, 1_600])
    func silence(count: Int) {
        let found = LogMelSpectrogram(bands: 128)([Float](repeating: 0, count: count))
        #expect(found.count == (count / 160 + 1) * 128)
        #expect(found.allSatisfy { abs($0) < 1e-3 })
    }
}

import Foundation
import LeapAudio
import LeapBlocks
import LeapGGUF
import LeapKernels
import Testing
import _LeapTestSupport

@testable import LeapModels
@testable import LeapOps

/// A projector of `Fixtures/audio/` with the rows that an independent implementation computes in double precision.
struct AudioFixture: Sendable, CustomStringConvertible {
    let name: String
    /// Root-mean-square error against the exact rows, relative to them.
    let tolerance: Double

    static let all = [
        AudioFixture(name: "audio-f32", tolerance: 2e-6), AudioFixture(name: "audio-f16", tolerance: 5e-4),
        AudioFixture(name: "audio-q8_0", tolerance: 2e-2),
    ]

    static let folder = Fixture.folder.appending(path: "audio")

    var path: String { Self.folder.appending(path: name + ".gguf").path }
    var description: String { name }

    private struct Index: Decodable {
        struct Case: Decodable {
            let samples: Int
            let rows: AudioFixtureArray
        }
        let cases: [Case]
    }

    /// Spectrograms, and their rows.
    func cases(bands: Int) throws -> [(frames: [Float], rows: [Float])] {
        let index = try JSONDecoder().decode(
            Index.self, from: Data(contentsOf: Self.folder.appending(path: name + ".json")))
        let floats = try FixtureReference.floats(in: Self.folder.appending(path: name + ".f32.bin"))
        return index.cases.map {
            (LogMelSpectrogram(bands: bands)(formulaSound($0.samples)), $0.rows.values(of: floats))
        }
    }
}

@Suite("Audio encoders")
struct AudioEncoderTests {
    @Test("rows match an independent implementation at every level", arguments: AudioFixture.all)
    func rows(fixture: AudioFixture) throws {
        let encoder = try AudioEncoder(GGUFFile(path: fixture.path))
        for level in Kernels.available.map(\.level) {
            let compute = Compute(kernels: Kernels.table(for: level))
            for (frames, expected) in try fixture.cases(bands: encoder.configuration.bands) {
                let found = try encoder.encode(frames, compute)
                let error = relativeError(found, expected)
                #expect(error <= fixture.tolerance, "\(level), \(found.count) rows: \(error)")
            }
        }
    }

    @Test("rows do not depend on the number of threads", arguments: AudioFixture.all)
    func threads(fixture: AudioFixture) throws {
        let encoder = try AudioEncoder(GGUFFile(path: fixture.path))
        let frames = LogMelSpectrogram(bands: encoder.configuration.bands)(formulaSound(40_000))
        let alone = try encoder.encode(frames, Compute(threads: 1))
        #expect(try encoder.encode(frames, Compute()) == alone)
    }

    @Test("encoding can be cancelled between the parts of a layer")
    func cancellation() throws {
        let encoder = try AudioEncoder(GGUFFile(path: AudioFixture.all[0].path))
        let frames = LogMelSpectrogram(bands: encoder.configuration.bands)(formulaSound(32_077))
        var total = 0
        _ = try encoder.encode(frames, Compute()) {
            total += 1
            return true
        }
        #expect(total > 20)
        for parts in 0..<total {
            var asked = 0
            #expect(throws: ModelError.self) {
                try encoder.encode(frames, Compute()) {
                    asked += 1
                    return asked <= parts
                }
            }
            #expect(asked == parts + 1)
        }
    }

    @Test("a number of values that is not a whole number of frames is refused", arguments: [0, 71, 73])
    func wrongFrames(count: Int) throws {
        let encoder = try AudioEncoder(GGUFFile(path: AudioFixture.all[0].path))
        #expect(throws: ModelError.self) {
            try encoder.encode([Float](repeating: 0, count: count), Compute())
        }
    }

    @Test(
        "recordings of any length give the computed number of finite rows, and take the counted scratch memory",
        arguments: [1_600, 40_000, 160_000])
    func lengths(samples: Int) throws {
        let encoder = try AudioEncoder(GGUFFile(path: AudioFixture.all[2].path))
        let frames = LogMelSpectrogram(bands: encoder.configuration.bands)(formulaSound(samples))
        let encoding = try encoder.begin(frames, Compute())
        var result: [[Float]]?
        while result == nil { result = try encoding.advance() }
        // What was counted is reserved as one piece; if that were not enough, there would be more.
        #expect(encoding.compute.scratch.peak == encoding.compute.scratch.byteCount)
        let rows = try #require(result)
        #expect(rows.count == encoder.configuration.rows(ofFrames: samples / 160 + 1))
        #expect(rows.count == (samples / 160 + 8) / 8)
        #expect(rows.allSatisfy { $0.allSatisfy(\.isFinite) })
    }
}

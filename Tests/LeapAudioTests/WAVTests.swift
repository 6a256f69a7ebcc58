import Foundation
import LeapAudio
import Testing
import _LeapTestSupport

/// Sound files, which may come from untrusted sources.
@Suite("WAV files")
struct WAVTests {
    /// A file of chunks.
    private static func file(
        _ chunks: [(tag: String, bytes: [UInt8], length: Int?)], form: String = "RIFF", length: Int? = nil
    ) -> Data {
        var body = Data("WAVE".utf8)
        for chunk in chunks {
            body += Data(chunk.tag.utf8) + bytes(chunk.length ?? chunk.bytes.count, 4) + chunk.bytes
            if !chunk.bytes.count.isMultiple(of: 2) { body.append(0) }
        }
        return Data(form.utf8) + bytes(length ?? body.count, 4) + body
    }

    private static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func format(
        code: Int, channels: Int = 1, rate: Int = 16_000, bits: Int, frame: Int? = nil
    ) -> [UInt8] {
        let frame = frame ?? channels * bits / 8
        return bytes(code, 2) + bytes(channels, 2) + bytes(rate, 4) + bytes(rate &* frame, 4) + bytes(frame, 2)
            + bytes(bits, 2)
    }

    @Test(
        "samples of every supported format are read",
        arguments: [
            (1, 16, [0x00, 0x40, 0x00, 0x80], [0.5, -1]), (1, 24, [0, 0, 0x40, 0, 0, 0xC0], [0.5, -0.5]),
            (1, 32, [0, 0, 0, 0x20, 0, 0, 0, 0x80], [0.25, -1]),
            (3, 32, [0, 0, 0x80, 0x3F, 0, 0, 0, 0xBF], [1, -0.5]),
        ] as [(Int, Int, [UInt8], [Float])])
    func kinds(code: Int, bits: Int, data: [UInt8], expected: [Float]) throws {
        let plain = Self.format(code: code, bits: bits)
        let extensible =
            Self.format(code: 0xFFFE, bits: bits) + Self.bytes(22, 2) + Self.bytes(bits, 2)
            + Self.bytes(4, 4) + Self.bytes(code, 2) + [UInt8](repeating: 0, count: 14)
        for format in [plain, extensible] {
            let odd: [UInt8] = [1, 2, 3]
            let file = Self.file([("LIST", odd, nil), ("fmt ", format, nil), ("data", data, nil)])
            let recording = try Recording(wav: file)
            #expect(recording.samples == expected && recording.sampleRate == 16_000 && recording.channelCount == 1)
        }
    }

    @Test(
        "data of unknown or wrong length extends to the end of the file",
        arguments: [(0xFFFF_FFFF, nil), (0x7FFF_FFFF, nil), (1000, nil), (0, 0), (0, 0xFFFF_FFFF), (0, 36)]
            as [(Int, Int?)])
    func openEnd(length: Int, fileLength: Int?) throws {
        let file = Self.file(
            [("fmt ", Self.format(code: 1, bits: 16), nil), ("data", [0, 0x40, 0, 0x20, 9], length)],
            length: fileLength)
        #expect(try Recording(wav: file).samples == [0.5, 0.25, 0x9p-15])
    }

    @Test("in a complete file, data of length zero is empty, whatever follows")
    func emptyData() throws {
        let file = Self.file([("fmt ", Self.format(code: 1, bits: 16), nil), ("data", [], nil), ("LIST", [1, 2], nil)])
        #expect(try Recording(wav: file).samples.isEmpty)
    }

    @Test("an RF64 file uses its 64-bit lengths", arguments: [4, 1 << 40])
    func longLengths(length: Int) throws {
        let lengths = Self.bytes(0, 8) + Self.bytes(length, 8) + Self.bytes(2, 8) + Self.bytes(0, 4)
        let file = Self.file(
            [
                ("ds64", lengths, nil), ("fmt ", Self.format(code: 1, bits: 16), nil),
                ("data", [0, 0x40, 0, 0x20], 0xFFFF_FFFF), ("LIST", [1, 2], nil),
            ], form: "RF64")
        let samples = try Recording(wav: file).samples
        #expect(samples.prefix(2) == [0.5, 0.25])
        #expect((samples.count == 2) == (length == 4))
        let cut = Self.file([("ds64", [1, 2, 3], nil)], form: "RF64")
        #expect(throws: AudioError.notWAV(reason: "its 'ds64' chunk has only 3 bytes")) {
            try Recording(wav: cut)
        }
    }

    @Test(
        "invalid and truncated files are refused with a reason",
        arguments: [
            (Data(), "it ends at byte 0, inside a RIFF header"),
            (Data("RIFX".utf8), "it does not start with a WAV header"),
            (Data("ID3".utf8) + Data(count: 40), "MP3"),
            (file([("data", [0, 0], nil)]), "comes before its 'fmt ' chunk"),
            (file([("fmt ", format(code: 1, bits: 16), nil)]), "it has no 'data' chunk"),
            (file([("fmt ", [1, 0, 1, 0], nil), ("data", [0, 0], nil)]), "its 'fmt ' chunk has only 4 bytes"),
            (
                file([("fmt ", format(code: 1, bits: 16), 4_000_000_000)]),
                "it ends at byte 36, inside its 'fmt ' chunk"
            ),
            (file([("a\u{3B1}\u{1B}", [], 9)]), "it ends at byte 20, inside its '0x61ceb11b' chunk"),
            (file([("fmt ", format(code: 1, bits: 8), nil), ("data", [0, 0], nil)]), "format 1 with 8 bits"),
            (file([("fmt ", format(code: 3, bits: 64), nil), ("data", [0, 0], nil)]), "format 3 with 64 bits"),
            (file([("fmt ", format(code: 7, bits: 8), nil), ("data", [0, 0], nil)]), "format 7 with 8 bits"),
            (
                file([("fmt ", format(code: 1, bits: 24, frame: 4), nil), ("data", [0, 0, 0, 0], nil)]),
                "1 samples of 24 bits take 4 bytes; expected 3"
            ),
            (
                file([("fmt ", format(code: 1, rate: 0, bits: 16), nil), ("data", [0, 0], nil)]),
                "a sample rate of 0 Hz"
            ),
            (
                file([("fmt ", format(code: 1, channels: 0, bits: 16), nil), ("data", [0, 0], nil)]),
                "it has 0 channels"
            ),
        ])
    func refused(file: Data, reason: String) {
        #expect {
            _ = try Recording(wav: file)
        } throws: {
            "\($0)".contains(reason)
        }
    }

    @Test("a damaged file is refused or yields at most as many samples as the file has bytes")
    func damage() {
        let file = Recording(samples: formulaSound(50), sampleRate: 16_000).wav(.int16)
        var random = SeededRandomNumberGenerator(seed: 3)
        for _ in 0..<20_000 {
            var damaged = file
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damaged[Int.random(in: 0..<48, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            damaged = damaged.prefix(Int.random(in: 0...damaged.count, using: &random))
            guard let recording = try? Recording(wav: damaged) else { continue }
            #expect(recording.samples.count <= file.count)
            try? recording.check()
        }
    }

    @Test("floats are written unchanged, and integers are rounded and clipped")
    func written() throws {
        let samples: [Float] = [0, 0.5, -1, 1, 2, -3, .nan, 1e-6]
        let floats = try Recording(wav: Recording(samples: samples, sampleRate: 24_000).wav())
        #expect(floats.samples.map(\.bitPattern) == samples.map(\.bitPattern) && floats.sampleRate == 24_000)
        let words = Recording(samples: samples, sampleRate: 8_000, channelCount: 2).wav(.int16)
        #expect(words.count == 44 + 2 * samples.count)
        let read = try Recording(wav: words)
        #expect(read.channelCount == 2)
        #expect(read.samples == [0, 0.5, -1, 0x7FFFp-15, 0x7FFFp-15, -1, 0, 0])
    }

    @Test("a mark tells files with the same samples apart, and is no sound", arguments: [1, 2, 32])
    func marked(count: Int) throws {
        let recording = Recording(samples: [0.5, -0.25, 0], sampleRate: 24_000)
        let (plain, marked) = (recording.wav(.int16), recording.wav(.int16, mark: [UInt8](repeating: 7, count: count)))
        #expect(marked.count == plain.count + 8 + count + count % 2)
        #expect(marked[8..<plain.count] == plain[8...])
        #expect(Array(marked[4..<8]) == Self.bytes(marked.count - 8, 4))
        #expect(try Recording(wav: marked) == recording)
    }

    @Test("recordings that models cannot process are refused with a specific error")
    func limits() throws {
        let second = formulaSound(16_000)
        try Recording(samples: second, sampleRate: 16_000).check()
        let cases: [(Recording, AudioError)] = [
            (Recording(samples: second, sampleRate: 16_000, channelCount: 2), .severalChannels(2)),
            (Recording(samples: second, sampleRate: 4_000), .sampleRate(4_000, allowed: 8_000...192_000)),
            (
                Recording(samples: second, sampleRate: 1_000_000_000),
                .sampleRate(1_000_000_000, allowed: 8_000...192_000)
            ),
            (Recording(samples: second, sampleRate: -1), .sampleRate(-1, allowed: 8_000...192_000)),
            (Recording(samples: [], sampleRate: 16_000), .tooShort(seconds: 0, shortest: 0.1)),
            (
                Recording(samples: [Float](second[..<1_599]), sampleRate: 16_000),
                .tooShort(seconds: 1_599 / 16_000, shortest: 0.1)
            ),
            (
                Recording(samples: [Float](repeating: 0, count: 8_000 * 301), sampleRate: 8_000),
                .tooLong(seconds: 301, longest: 300)
            ),
            (
                Recording(samples: second[..<9_000] + [.infinity], sampleRate: 16_000),
                .sampleValue(.infinity, sample: 9_000, largest: 0x1p31)
            ),
            (
                Recording(samples: second[..<9_000] + [-0x1.1p31], sampleRate: 16_000),
                .sampleValue(-0x1.1p31, sample: 9_000, largest: 0x1p31)
            ),
        ]
        for (recording, expected) in cases {
            #expect(throws: expected) { try recording.check() }
        }
        try Recording(samples: second.map { $0 * 0x1p31 }, sampleRate: 16_000).check()
    }
}

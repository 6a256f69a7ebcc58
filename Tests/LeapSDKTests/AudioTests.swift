import Foundation
import LeapSDK
import Testing

@Suite("Audio")
struct AudioTests {
    private static let samples: [Float] = [0, 0.5, -0.5, 1, -1, 0.25]

    /// A WAV file with an arbitrary `fmt ` chunk.
    private static func wav(
        format: UInt16 = 1, channels: UInt16 = 1, rate: UInt32 = 16_000, bits: UInt16 = 16, data: [UInt8] = [0, 64],
        before: [UInt8] = []
    ) -> Data {
        func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian, Array.init) }
        let frame = channels &* (bits / 8)
        var description = bytes(format) + bytes(channels) + bytes(rate)
        description += bytes(rate &* UInt32(frame)) + bytes(frame) + bytes(bits)
        var body = Array("WAVE".utf8) + before + Array("fmt ".utf8) + bytes(UInt32(description.count)) + description
        body += Array("data".utf8) + bytes(UInt32(data.count)) + data
        return Data(Array("RIFF".utf8) + bytes(UInt32(body.count)) + body)
    }

    @Test("float samples round-trip through a WAV file with a 44-byte header", arguments: [1, 2])
    func roundTrip(channels: Int) throws {
        let file = WAVFile(samples: Self.samples, sampleRate: 24_000, channelCount: channels)
        #expect(file.data.count == 44 + 4 * Self.samples.count)
        #expect(try WAVFile(data: file.data) == file)
    }

    private static let depths: [(bits: UInt16, data: [UInt8])] = [
        (16, [0x00, 0x40, 0x00, 0x80]), (24, [0, 0, 0x40, 0, 0, 0x80]), (32, [0, 0, 0, 0x40, 0, 0, 0, 0x80]),
    ]

    @Test("16-, 24- and 32-bit integer samples are scaled to -1...1", arguments: depths)
    func integers(bits: UInt16, data: [UInt8]) throws {
        let file = try WAVFile(data: Self.wav(bits: bits, data: data))
        #expect(file.samples == [0.5, -1] && file.sampleRate == 16_000)
    }

    @Test("unknown chunks are skipped, including one of odd length")
    func otherChunks() throws {
        let list = Array("LIST".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
        #expect(try WAVFile(data: Self.wav(before: list)).samples == [0.5])
    }

    private static let refused: [(data: Data, text: String)] = [
        (Data("ID3".utf8), "it ends at byte 3, inside a RIFF header"),
        (
            Data("OggS is not RIFF".utf8),
            "it does not start with a WAV header; convert MP3, AAC, M4A and OGG files to WAV"
        ),
        (
            wav(format: 6, bits: 8),
            "its samples have format 6 with 8 bits; supported are 32-bit floats (format 3) and 16-, 24- and 32-bit integers "
                + "(format 1)"
        ),
        (wav(rate: 0), "it has 1 channels and a sample rate of 0 Hz"),
        (wav(channels: 0), "it has 0 channels and a sample rate of 16000 Hz"),
        (wav(channels: 2), "it has 2 channels, but must be mono. Mix it down to one channel"),
        (wav().prefix(36), "it has no 'data' chunk"),
        (wav().prefix(30), "it ends at byte 30, inside its 'fmt ' chunk"),
    ]

    @Test("an unsupported recording is rejected with the reason", arguments: refused)
    func refusals(data: Data, text: String) {
        #expect {
            try ChatMessageContent.fromWAVData(data).validated()
        } throws: {
            "\($0)" == "the JSON cannot be used: the recording cannot be used: \(text)"
        }
    }

    @Test("parsing any prefix of a file returns samples or throws, and never reads past its end")
    func prefixes() {
        let data = Self.wav(data: [0, 64, 0, 32])
        for length in 0..<data.count { _ = try? WAVFile(data: data.prefix(length)) }
        #expect(throws: Never.self) { try WAVFile(data: data) }
    }

    @Test("a buffer collects samples and becomes a content part")
    func buffer() throws {
        let buffer = FloatAudioBuffer(sampleRate: 4)
        #expect(buffer.isEmpty && buffer.duration == 0)
        buffer.add(chunk: [0.5, -0.5])
        buffer.append(samples: [1, -1])
        #expect(buffer.count == 4 && buffer.duration == 1 && !buffer.isEmpty)
        #expect(buffer.toFloatArray() == [0.5, -0.5, 1, -1])
        #expect(buffer.makeAudioContent() == .fromFloatSamples([0.5, -0.5, 1, -1], sampleRate: 4))
        #expect(buffer.makePcmF32AudioContent() == buffer.makeAudioContent())
        #expect(try WAVFile(data: buffer.createWavBytes()).samples == buffer.toFloatArray())
        buffer.clear()
        #expect(buffer.isEmpty)
        let stereo = FloatAudioBuffer(sampleRate: 2, channelCount: 2)
        stereo.add(chunk: [0, 1, 0, 1])
        #expect(stereo.duration == 1 && stereo.count == 4)
    }

    @Test("PCM samples in JSON are read exactly, and malformed ones are rejected")
    func samplesInJSON() throws {
        let json: [String: Any] = ["type": "audio_pcm_f32", "samples": [0, 0.5, -0.25], "sampleRate": 24_000]
        let part = try ChatMessageContent(from: json)
        #expect(part == .fromFloatSamples([0, 0.5, -0.25], sampleRate: 24_000))
        for broken in [["samples": [0]], ["samples": ["x"], "sampleRate": 1], ["samples": 1, "sampleRate": 1]] {
            var json: [String: Any] = broken
            json["type"] = "audio_pcm_f32"
            #expect(throws: LeapError.self) { try ChatMessageContent(from: json) }
        }
    }
}

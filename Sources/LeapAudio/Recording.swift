public import Foundation

/// Sound as in a WAV file.
public struct Recording: Sendable, Hashable {
    /// Samples in -1...1; those of several channels are interleaved.
    public let samples: [Float]
    /// Samples per second and channel.
    public let sampleRate: Int
    /// The number of channels.
    public let channelCount: Int

    /// Groups samples.
    public init(samples: [Float], sampleRate: Int, channelCount: Int = 1) {
        self.samples = samples
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// The duration.
    public var seconds: Double { Double(samples.count / max(1, channelCount)) / Double(max(1, sampleRate)) }
}

// MARK: - Writing

extension Recording {
    /// How samples are encoded.
    public enum Encoding: Sendable {
        /// As 32-bit floats, lossless.
        case float32
        /// As 16-bit integers, which every player supports; samples beyond -1...1 are clipped.
        case int16

        var code: UInt16 { self == .float32 ? WAVCode.float : WAVCode.integer }
        var bytesPerSample: Int { self == .float32 ? 4 : 2 }
    }

    /// The bytes of a WAV file: a header of 44 bytes, then the samples, then the mark.
    ///
    /// - Parameter mark: Tells files with the same samples apart. It is the contents of a chunk `leap`, which players skip;
    ///   without any, there is no chunk.
    ///
    /// Source: Microsoft and IBM, Multimedia Programming Interface and Data Specifications 1.0 (RIFF WAVE).
    public func wav(_ encoding: Encoding = .float32, mark: [UInt8] = []) -> Data {
        let width = encoding.bytesPerSample
        let bytes = UInt32(clamping: samples.count * width)
        let frame = UInt16(clamping: channelCount * width)
        let last = Self.chunk(mark)
        var data = Data(capacity: 44 + samples.count * width + last.count)
        data.append(contentsOf: "RIFF".utf8)
        data.append(littleEndian: bytes.addingReportingOverflow(UInt32(clamping: 36 + last.count)).partialValue)
        data.append(contentsOf: "WAVEfmt ".utf8)
        data.append(littleEndian: UInt32(16))
        data.append(littleEndian: encoding.code)
        data.append(littleEndian: UInt16(clamping: channelCount))
        data.append(littleEndian: UInt32(clamping: sampleRate))
        data.append(littleEndian: UInt32(clamping: sampleRate.multipliedReportingOverflow(by: Int(frame)).partialValue))
        data.append(littleEndian: frame)
        data.append(littleEndian: UInt16(8 * width))
        data.append(contentsOf: "data".utf8)
        data.append(littleEndian: bytes)
        switch encoding {
        case .float32: for sample in samples { data.append(littleEndian: sample.bitPattern) }
        case .int16: data.append(Self.int16(samples))
        }
        return data + last
    }

    /// The chunk of a mark, of an even length; nothing for an empty one.
    private static func chunk(_ mark: [UInt8]) -> Data {
        guard !mark.isEmpty else { return Data() }
        var chunk = Data("leap".utf8)
        chunk.append(littleEndian: UInt32(clamping: mark.count))
        return chunk + mark + [UInt8](repeating: 0, count: mark.count % 2)
    }

    /// Samples as 16-bit integers, little-endian, without a header: as files and players have them.
    public static func int16(_ samples: [Float]) -> Data {
        samples.reduce(into: Data(capacity: 2 * samples.count)) { $0.append(littleEndian: int16($1)) }
    }

    /// The nearest integer, saturating; silence for NaN.
    private static func int16(_ sample: Float) -> Int16 {
        sample.isNaN ? 0 : Int16(max(-32768, min(32767, (sample * 32768).rounded())))
    }
}

/// The codes of sample formats.
enum WAVCode {
    static let integer: UInt16 = 1
    static let float: UInt16 = 3
    /// The actual format is in the first bytes of an identifier, 24 bytes into the description.
    static let extensible: UInt16 = 0xFFFE
}

extension Data {
    fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}

public import Foundation

/// Sound as a WAV file holds it.
///
/// Read are uncompressed samples: 32-bit floats or 16-, 24- or 32-bit integers, little-endian, at any rate. Models take one
/// channel. Source: Microsoft and IBM, Multimedia Programming Interface and Data Specifications 1.0 (RIFF WAVE).
public struct WAVFile: Sendable, Hashable {
    /// Samples in -1...1; those of several channels take turns.
    public let samples: [Float]
    /// Samples per second and channel.
    public let sampleRate: Int
    /// The number of channels.
    public let channelCount: Int

    /// Makes sound of samples.
    public init(samples: [Float], sampleRate: Int, channelCount: Int = 1) {
        self.samples = samples
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// The sound, if it is of one channel.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` for more channels.
    public func mono() throws(LeapError) -> WAVFile {
        guard channelCount == 1 else {
            throw .notWAV("it has \(channelCount) channels, but models take one: mix them to mono")
        }
        return self
    }

    /// The file's bytes: a header of 44 bytes, then 32-bit floats.
    public var data: Data {
        let bytes = UInt32(clamping: samples.count * 4)
        let frame = UInt16(clamping: channelCount * 4)
        var data = Data(capacity: 44 + samples.count * 4)
        data.append(contentsOf: "RIFF".utf8)
        data.append(littleEndian: bytes.addingReportingOverflow(36).partialValue)
        data.append(contentsOf: "WAVEfmt ".utf8)
        data.append(littleEndian: UInt32(16))
        data.append(littleEndian: Encoding.float)
        data.append(littleEndian: UInt16(clamping: channelCount))
        data.append(littleEndian: UInt32(clamping: sampleRate))
        data.append(littleEndian: UInt32(clamping: sampleRate.multipliedReportingOverflow(by: Int(frame)).partialValue))
        data.append(littleEndian: frame)
        data.append(littleEndian: UInt16(32))  // bits per sample
        data.append(contentsOf: "data".utf8)
        data.append(littleEndian: bytes)
        for sample in samples { data.append(littleEndian: sample.bitPattern) }
        return data
    }

    /// The codes of sample formats.
    enum Encoding {
        static let integer: UInt16 = 1
        static let float: UInt16 = 3
        /// The format is told by the first bytes of an identifier, 24 bytes into the description.
        static let extensible: UInt16 = 0xFFFE
    }
}

extension LeapError {
    static func notWAV(_ text: String) -> LeapError {
        .serializationFailure("the recording cannot be used: \(text)", nil)
    }
}

extension Data {
    fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}

public import Foundation
import LeapAudio

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

    /// Reads a file.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` for what is no WAV file, has samples of another format, or ends
    ///   early.
    public init(data: Data) throws(LeapError) {
        let recording: Recording
        do { recording = try Recording(wav: data) } catch { throw .serializationFailure("\(error)", nil) }
        self.init(
            samples: recording.samples, sampleRate: recording.sampleRate, channelCount: recording.channelCount)
    }

    /// The sound, if it is of one channel.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` for more channels.
    public func mono() throws(LeapError) -> WAVFile {
        guard channelCount == 1 else {
            throw .serializationFailure("\(AudioError.severalChannels(channelCount))", nil)
        }
        return self
    }

    /// The file's bytes: a header of 44 bytes, then 32-bit floats.
    public var data: Data {
        Recording(samples: samples, sampleRate: sampleRate, channelCount: channelCount).wav()
    }
}

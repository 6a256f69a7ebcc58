public import Foundation
import LeapAudio

/// The audio in a WAV file.
///
/// Reads uncompressed little-endian samples: 32-bit floats or 16-, 24- or 32-bit integers, at any sample rate. Models
/// accept mono only. Source: Microsoft and IBM, Multimedia Programming Interface and Data Specifications 1.0 (RIFF
/// WAVE).
public struct WAVFile: Sendable, Hashable {
    /// The samples in -1...1, interleaved if there are several channels.
    public let samples: [Float]
    /// The sample rate in Hz.
    public let sampleRate: Int
    /// The number of channels.
    public let channelCount: Int

    /// Creates audio from samples in -1...1, interleaved if there are several channels.
    public init(samples: [Float], sampleRate: Int, channelCount: Int = 1) {
        self.samples = samples
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// Reads a file.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` if the data is not a WAV file, uses another sample format, or
    ///   is truncated.
    public init(data: Data) throws(LeapError) {
        let recording: Recording
        do { recording = try Recording(wav: data) } catch { throw .serializationFailure("\(error)", nil) }
        self.init(
            samples: recording.samples, sampleRate: recording.sampleRate, channelCount: recording.channelCount)
    }

    /// Returns the audio itself if it has a single channel.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` if it has more channels.
    public func mono() throws(LeapError) -> WAVFile {
        guard channelCount == 1 else {
            throw .serializationFailure("\(AudioError.severalChannels(channelCount))", nil)
        }
        return self
    }

    /// The bytes of the file: a header of 44 bytes, followed by 32-bit floats.
    public var data: Data {
        Recording(samples: samples, sampleRate: sampleRate, channelCount: channelCount).wav()
    }
}

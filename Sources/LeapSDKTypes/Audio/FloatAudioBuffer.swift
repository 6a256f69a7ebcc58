public import Foundation
import Synchronization

/// Collects sound that comes in pieces, such as `.audioSample` responses or a microphone's buffers.
public final class FloatAudioBuffer: Sendable {
    /// Samples per second and channel.
    public let sampleRate: Int
    /// Channels, whose samples take turns.
    public let channelCount: Int
    private let samples = Mutex<[Float]>([])

    /// Makes an empty buffer.
    public init(sampleRate: Int, channelCount: Int = 1) {
        self.sampleRate = sampleRate
        self.channelCount = max(1, channelCount)
    }

    /// Appends samples in -1...1. Their number should be a multiple of ``channelCount``; what does not fill a frame waits
    /// for the rest.
    public func add(chunk: [Float]) {
        samples.withLock { $0 += chunk }
    }

    /// Same as ``add(chunk:)``.
    public func append(samples: [Float]) {
        add(chunk: samples)
    }

    /// Forgets everything.
    public func clear() {
        samples.withLock { $0 = [] }
    }

    /// The number of samples of all channels.
    public var count: Int { samples.withLock { $0.count } }

    /// Whether there are no samples.
    public var isEmpty: Bool { count == 0 }

    /// Seconds.
    public var duration: Double {
        sampleRate > 0 ? Double(count / channelCount) / Double(sampleRate) : 0
    }

    /// The samples.
    public func toFloatArray() -> [Float] {
        samples.withLock { $0 }
    }

    /// The samples as a WAV file of 32-bit floats. Models take files of one channel only.
    public func createWavBytes() -> Data {
        WAVFile(samples: toFloatArray(), sampleRate: sampleRate, channelCount: channelCount).data
    }

    /// The samples as a part of a message.
    public func makeAudioContent() -> ChatMessageContent {
        .audio(createWavBytes())
    }

    /// Same as ``makeAudioContent()``: floats are kept as they are.
    public func makePcmF32AudioContent() -> ChatMessageContent {
        makeAudioContent()
    }
}

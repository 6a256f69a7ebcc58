public import Foundation
import Synchronization

/// Collects audio that arrives in chunks, such as `.audioSample` responses or the buffers of a microphone. Safe to use
/// from several threads.
public final class FloatAudioBuffer: Sendable {
    /// The sample rate in Hz.
    public let sampleRate: Int
    /// The number of channels, whose samples are interleaved.
    public let channelCount: Int
    private let samples = Mutex<[Float]>([])

    /// Creates an empty buffer.
    public init(sampleRate: Int, channelCount: Int = 1) {
        self.sampleRate = sampleRate
        self.channelCount = max(1, channelCount)
    }

    /// Appends interleaved samples in -1...1. Their number should be a multiple of ``channelCount``; an incomplete
    /// frame is completed by the next chunk.
    public func add(chunk: [Float]) {
        samples.withLock { $0 += chunk }
    }

    /// Same as ``add(chunk:)``.
    public func append(samples: [Float]) {
        add(chunk: samples)
    }

    /// Removes all samples.
    public func clear() {
        samples.withLock { $0 = [] }
    }

    /// The number of samples in all channels together.
    public var count: Int { samples.withLock { $0.count } }

    /// Whether there are no samples.
    public var isEmpty: Bool { count == 0 }

    /// The duration in seconds.
    public var duration: Double {
        sampleRate > 0 ? Double(count / channelCount) / Double(sampleRate) : 0
    }

    /// Returns the samples, interleaved.
    public func toFloatArray() -> [Float] {
        samples.withLock { $0 }
    }

    /// Returns the samples as a WAV file of 32-bit floats. Models accept mono files only.
    public func createWavBytes() -> Data {
        WAVFile(samples: toFloatArray(), sampleRate: sampleRate, channelCount: channelCount).data
    }

    /// Returns the samples as the content of a message.
    public func makeAudioContent() -> ChatMessageContent {
        .audio(createWavBytes())
    }

    /// Same as ``makeAudioContent()``, which keeps the floats unchanged.
    public func makePcmF32AudioContent() -> ChatMessageContent {
        makeAudioContent()
    }
}

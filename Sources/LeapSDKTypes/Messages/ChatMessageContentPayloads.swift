public import Foundation

/// A part of a message with a payload struct for each kind, as versions 0.10 of the API described it; see
/// ``onEnum(of:)-(ChatMessageContent)``.
public enum ChatMessageContentPayload: Sendable, Hashable {
    /// Text.
    case text(ChatMessageContentText)
    /// A picture.
    case image(ChatMessageContentImage)
    /// A recording.
    case audio(ChatMessageContentAudio)
    /// A recording of samples. There for switches that name it: such recordings are kept as WAV files of floats, which
    /// loses nothing, and arrive as ``audio(_:)``.
    case audioPcmF32(ChatMessageContentAudioPcmF32)
}

/// Text.
public struct ChatMessageContentText: Sendable, Hashable {
    /// The text.
    public let text: String
}

/// A picture.
public struct ChatMessageContentImage: Sendable, Hashable {
    /// The bytes of a JPEG, PNG or WebP file.
    public let jpegByteArray: Data
    /// The picture as a `data:` URL.
    public var imageUrl: String { ImageURL.url(of: jpegByteArray) }
}

/// A recording.
public struct ChatMessageContentAudio: Sendable, Hashable {
    /// The bytes of a WAV file.
    public let data: Data
    /// The recording as OpenAI's `input_audio` holds it.
    public var inputAudio: ChatMessageContent.InputAudio {
        .init(data: data.base64EncodedString(), format: AudioFormat(of: data).rawValue)
    }
}

/// A recording of samples.
public struct ChatMessageContentAudioPcmF32: Sendable, Hashable {
    /// Samples in -1...1.
    public let samples: [Float]
    /// Samples per second.
    public let sampleRate: Int

    /// The bytes of a WAV file.
    public func toWavBytes() -> Data { WAVFile(samples: samples, sampleRate: sampleRate).data }

    /// The recording as a part of a message.
    public func toAudio() -> ChatMessageContent { .audio(toWavBytes()) }
}

/// The part with a payload struct for each kind, as versions 0.10 of the API described it.
public func onEnum(of content: ChatMessageContent) -> ChatMessageContentPayload {
    switch content {
    case .text(let text): .text(.init(text: text))
    case .image(let data): .image(.init(jpegByteArray: data))
    case .audio(let data): .audio(.init(data: data))
    }
}

public import Foundation

/// A part of a message with a payload struct for each kind, as in versions 0.10; see
/// ``onEnum(of:)-(ChatMessageContent)``.
public enum ChatMessageContentPayload: Sendable, Hashable {
    /// Text.
    case text(ChatMessageContentText)
    /// An image.
    case image(ChatMessageContentImage)
    /// Audio.
    case audio(ChatMessageContentAudio)
    /// Audio samples. Never delivered; the case exists so that switches over all cases compile. Samples are stored as
    /// WAV files of floats, without loss, and are delivered as ``audio(_:)``.
    case audioPcmF32(ChatMessageContentAudioPcmF32)
}

/// Text.
public struct ChatMessageContentText: Sendable, Hashable {
    /// The text.
    public let text: String
}

/// An image.
public struct ChatMessageContentImage: Sendable, Hashable {
    /// The bytes of a JPEG, PNG or WebP file.
    public let jpegByteArray: Data
    /// The image as a `data:` URL.
    public var imageUrl: String { ImageURL.url(of: jpegByteArray) }
}

/// Audio.
public struct ChatMessageContentAudio: Sendable, Hashable {
    /// The bytes of a WAV file.
    public let data: Data
    /// The audio as an `input_audio` object of OpenAI's API.
    public var inputAudio: ChatMessageContent.InputAudio {
        .init(data: data.base64EncodedString(), format: AudioFormat(of: data).rawValue)
    }
}

/// Audio samples.
public struct ChatMessageContentAudioPcmF32: Sendable, Hashable {
    /// The samples in -1...1.
    public let samples: [Float]
    /// The sample rate in Hz.
    public let sampleRate: Int

    /// Returns the bytes of a WAV file with these samples.
    public func toWavBytes() -> Data { WAVFile(samples: samples, sampleRate: sampleRate).data }

    /// Returns the audio as the content of a message.
    public func toAudio() -> ChatMessageContent { .audio(toWavBytes()) }
}

/// Returns the content with a payload struct for each kind, as in versions 0.10.
public func onEnum(of content: ChatMessageContent) -> ChatMessageContentPayload {
    switch content {
    case .text(let text): .text(.init(text: text))
    case .image(let data): .image(.init(jpegByteArray: data))
    case .audio(let data): .audio(.init(data: data))
    }
}

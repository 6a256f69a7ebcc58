public import Foundation

// Versions 0.10 of the API had a class for each kind of part. Their initialisers are spelled here by values that are
// called: `ChatMessageContent.Text(text: "Hi")`, `ChatMessageContent.Image.fromJPEGData(data)`.

extension ChatMessageContent {
    /// Makes text.
    public static let Text = TextFactory()
    /// Makes pictures.
    public static let Image = ImageFactory()
    /// Makes recordings.
    public static let Audio = AudioFactory()
    /// Makes recordings of samples.
    public static let AudioPcmF32 = AudioPcmF32Factory()

    /// Makes text, as `ChatMessageContent.Text(text: "Hi")`.
    public struct TextFactory: Sendable {
        /// Text.
        public func callAsFunction(text: String) -> ChatMessageContent { .text(text) }
    }

    /// Makes pictures, as `ChatMessageContent.Image(jpegByteArray: data)`.
    public struct ImageFactory: Sendable {
        /// A picture by its URL; see ``ChatMessageContent/image(url:)``.
        public func callAsFunction(imageUrl: String) -> ChatMessageContent { .image(url: imageUrl) }

        /// A picture, as the bytes of a JPEG file.
        public func callAsFunction(jpegByteArray: Data) -> ChatMessageContent { .image(jpegByteArray) }

        /// A picture, as the bytes of a JPEG file.
        public func fromJPEGData(_ data: Data) -> ChatMessageContent { .fromJPEGData(data) }

        /// A picture, as the bytes of a PNG file.
        public func fromPNGData(_ data: Data) -> ChatMessageContent { .fromPNGData(data) }

        /// A picture, as the bytes of a JPEG, PNG or WebP file.
        public func fromImageData(_ data: Data) -> ChatMessageContent { .fromImageData(data) }
    }

    /// Makes recordings, as `ChatMessageContent.Audio(data: wav)`.
    public struct AudioFactory: Sendable {
        /// A recording, as the bytes of a WAV file.
        public func callAsFunction(data: Data) -> ChatMessageContent { .audio(data) }

        /// A recording, as OpenAI's `input_audio` holds it.
        public func callAsFunction(inputAudio: InputAudio) -> ChatMessageContent {
            .audio(data: Data(base64Encoded: inputAudio.data) ?? Data(), format: inputAudio.format)
        }

        /// A recording, as the bytes of a WAV file.
        public func fromWAVData(_ data: Data) -> ChatMessageContent { .fromWAVData(data) }

        /// A recording of samples in -1...1.
        public func fromFloatSamples(
            _ samples: [Float], sampleRate: Int, channelCount: Int = 1
        ) -> ChatMessageContent {
            .fromFloatSamples(samples, sampleRate: sampleRate, channelCount: channelCount)
        }
    }

    /// A recording, as OpenAI's `input_audio` holds it.
    public struct InputAudio: Sendable, Hashable, Codable {
        /// The file in base64.
        public var data: String
        /// Its format: `"wav"` for what models hear.
        public var format: String

        /// Describes a recording.
        public init(data: String, format: String = "wav") {
            self.data = data
            self.format = format
        }
    }

    /// Makes recordings, as `ChatMessageContent.AudioPcmF32(samples: floats, sampleRate: 24_000)`.
    public struct AudioPcmF32Factory: Sendable {
        /// A recording of samples in -1...1, which are kept as they are.
        public func callAsFunction(samples: [Float], sampleRate: some BinaryInteger) -> ChatMessageContent {
            .fromFloatSamples(samples, sampleRate: Int(clamping: sampleRate))
        }
    }
}

/// Makes parts of messages, as functions of an object.
public struct ChatMessageContentFactory: Sendable {
    /// The one instance.
    public static let shared = ChatMessageContentFactory()

    /// Text.
    public func text(text: String) -> ChatMessageContent { .text(text) }
}

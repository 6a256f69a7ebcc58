public import Foundation

// Versions 0.10 of the API had a class for each kind of part. Their initialisers are spelled here by values that are
// called: `ChatMessageContent.Text(text: "Hi")`, `ChatMessageContent.Image.fromJPEGData(data)`.

extension ChatMessageContent {
    /// Creates text content.
    public static let Text = TextFactory()
    /// Creates image content.
    public static let Image = ImageFactory()
    /// Creates audio content.
    public static let Audio = AudioFactory()
    /// Creates audio content from samples.
    public static let AudioPcmF32 = AudioPcmF32Factory()

    /// Creates text content: `ChatMessageContent.Text(text: "Hi")`.
    public struct TextFactory: Sendable {
        /// Creates text content.
        public func callAsFunction(text: String) -> ChatMessageContent { .text(text) }
    }

    /// Creates image content: `ChatMessageContent.Image(jpegByteArray: data)`.
    public struct ImageFactory: Sendable {
        /// Creates image content from a URL; see ``ChatMessageContent/image(url:)``.
        public func callAsFunction(imageUrl: String) -> ChatMessageContent { .image(url: imageUrl) }

        /// Creates image content from the bytes of a JPEG file.
        public func callAsFunction(jpegByteArray: Data) -> ChatMessageContent { .image(jpegByteArray) }

        /// Creates image content from the bytes of a JPEG file.
        public func fromJPEGData(_ data: Data) -> ChatMessageContent { .fromJPEGData(data) }

        /// Creates image content from the bytes of a PNG file.
        public func fromPNGData(_ data: Data) -> ChatMessageContent { .fromPNGData(data) }

        /// Creates image content from the bytes of a JPEG, PNG or WebP file.
        public func fromImageData(_ data: Data) -> ChatMessageContent { .fromImageData(data) }
    }

    /// Creates audio content: `ChatMessageContent.Audio(data: wav)`.
    public struct AudioFactory: Sendable {
        /// Creates audio content from the bytes of a WAV file.
        public func callAsFunction(data: Data) -> ChatMessageContent { .audio(data) }

        /// Creates audio content from an `input_audio` object of OpenAI's API.
        public func callAsFunction(inputAudio: InputAudio) -> ChatMessageContent {
            .audio(data: Data(base64Encoded: inputAudio.data) ?? Data(), format: inputAudio.format)
        }

        /// Creates audio content from the bytes of a WAV file.
        public func fromWAVData(_ data: Data) -> ChatMessageContent { .fromWAVData(data) }

        /// Creates audio content from samples in -1...1, interleaved if there are several channels.
        public func fromFloatSamples(
            _ samples: [Float], sampleRate: Int, channelCount: Int = 1
        ) -> ChatMessageContent {
            .fromFloatSamples(samples, sampleRate: sampleRate, channelCount: channelCount)
        }
    }

    /// The `input_audio` object of OpenAI's API.
    public struct InputAudio: Sendable, Hashable, Codable {
        /// The file, encoded in Base64.
        public var data: String
        /// The format of the file. Models accept `"wav"` only.
        public var format: String

        /// Creates the object.
        public init(data: String, format: String = "wav") {
            self.data = data
            self.format = format
        }
    }

    /// Creates audio content from samples: `ChatMessageContent.AudioPcmF32(samples: floats, sampleRate: 24_000)`.
    public struct AudioPcmF32Factory: Sendable {
        /// Creates mono audio content from samples in -1...1, which are kept unchanged; `sampleRate` is in Hz.
        public func callAsFunction(samples: [Float], sampleRate: some BinaryInteger) -> ChatMessageContent {
            .fromFloatSamples(samples, sampleRate: Int(clamping: sampleRate))
        }
    }
}

/// Creates the contents of messages through methods of an object.
public struct ChatMessageContentFactory: Sendable {
    /// The shared instance.
    public static let shared = ChatMessageContentFactory()

    /// Creates text content.
    public func text(text: String) -> ChatMessageContent { .text(text) }
}

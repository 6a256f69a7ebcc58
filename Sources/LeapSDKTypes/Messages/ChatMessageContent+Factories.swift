public import Foundation

// MARK: - Pictures

extension ChatMessageContent {
    /// Creates image content from the bytes of a JPEG file.
    public static func fromJPEGData(_ data: Data) -> ChatMessageContent { .image(data) }

    /// Creates image content from the bytes of a PNG file, which are kept unchanged.
    public static func fromPNGData(_ data: Data) -> ChatMessageContent { .image(data) }

    /// Creates image content from the bytes of a JPEG, PNG or WebP file.
    public static func fromImageData(_ data: Data) -> ChatMessageContent { .image(data) }

    /// Creates image content from raw pixels.
    ///
    /// - Parameters:
    ///   - pixels: One byte each for the red, green and blue of every pixel, row by row from the top:
    ///     `3 · width · height` bytes.
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` if the number of bytes does not match.
    public static func fromRGB8(_ pixels: Data, width: Int, height: Int) throws -> ChatMessageContent {
        .image(try PNGFile(rgb: pixels, width: width, height: height).data)
    }

    /// Creates image content from a URL. Only `data:` URLs with Base64 are decoded; nothing is fetched. Any other URL
    /// is kept unchanged and rejected when it is passed to a model.
    public static func image(url: String) -> ChatMessageContent {
        .image(ImageURL.data(of: url) ?? Data(url.utf8))
    }
}

// MARK: - Recordings

extension ChatMessageContent {
    /// Creates audio content from the bytes of a WAV file. Models accept mono files of 32-bit floats or 16-, 24- or
    /// 32-bit integers, at any sample rate; see ``WAVFile``.
    public static func fromWAVData(_ data: Data) -> ChatMessageContent { .audio(data) }

    /// Creates audio content from samples in -1...1.
    ///
    /// - Parameters:
    ///   - samples: The samples, interleaved if there are several channels.
    ///   - sampleRate: The sample rate in Hz.
    ///   - channelCount: The number of channels. Models accept one.
    public static func fromFloatSamples(
        _ samples: [Float], sampleRate: Int, channelCount: Int = 1
    ) -> ChatMessageContent {
        .audio(WAVFile(samples: samples, sampleRate: sampleRate, channelCount: channelCount).data)
    }

    /// Creates audio content from the bytes of a file. A format other than `"wav"` is rejected when the audio is passed
    /// to a model.
    public static func audio(data: Data, format: String = "wav") -> ChatMessageContent { .audio(data) }
}

extension ChatMessageContent {
    /// Returns the content itself: samples are stored as WAV files without loss. In versions 0.10, samples were a
    /// separate kind of content that this method converted.
    public func toAudio() -> ChatMessageContent { self }

    /// Returns the bytes of the WAV file of audio content; empty for other content.
    public func toWavBytes() -> Data { if case .audio(let data) = self { data } else { Data() } }
}

// MARK: - Checks

extension ChatMessageContent {
    /// Returns the content itself if a model can accept it: any text, a JPEG, PNG or WebP file, or a mono WAV file.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` if a model cannot accept it.
    public func validated() throws(LeapError) -> ChatMessageContent {
        switch self {
        case .text: break
        case .image(let data):
            guard ImageURL.mediaType(of: data) != nil else {
                throw .serializationFailure(
                    "the image cannot be used: it is not a JPEG, PNG or WebP file", nil)
            }
        case .audio(let data): _ = try WAVFile(data: data).mono()
        }
        return self
    }
}

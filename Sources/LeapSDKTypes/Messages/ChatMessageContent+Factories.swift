public import Foundation

// MARK: - Pictures

extension ChatMessageContent {
    /// A picture, as the bytes of a JPEG file.
    public static func fromJPEGData(_ data: Data) -> ChatMessageContent { .image(data) }

    /// A picture, as the bytes of a PNG file. They are kept as they are.
    public static func fromPNGData(_ data: Data) -> ChatMessageContent { .image(data) }

    /// A picture, as the bytes of a JPEG, PNG or WebP file.
    public static func fromImageData(_ data: Data) -> ChatMessageContent { .image(data) }

    /// A picture of raw colours.
    ///
    /// - Parameters:
    ///   - pixels: Red, green and blue of each pixel, row by row from the top: `3 · width · height` bytes.
    ///   - width: Pixels of a row.
    ///   - height: Rows.
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` where there are more or fewer bytes.
    public static func fromRGB8(_ pixels: Data, width: Int, height: Int) throws -> ChatMessageContent {
        .image(try PNGFile(rgb: pixels, width: width, height: height).data)
    }

    /// A picture by its URL, of which only `data:` URLs with base64 are looked into: nothing is fetched. Any other URL is
    /// kept as it is, and refused when a model is to see it.
    public static func image(url: String) -> ChatMessageContent {
        .image(ImageURL.data(of: url) ?? Data(url.utf8))
    }
}

// MARK: - Recordings

extension ChatMessageContent {
    /// A recording, as the bytes of a WAV file. Models take one channel of 32-bit floats or 16-, 24- or 32-bit integers, at
    /// any rate; see ``WAVFile``.
    public static func fromWAVData(_ data: Data) -> ChatMessageContent { .audio(data) }

    /// A recording of samples in -1...1.
    ///
    /// - Parameters:
    ///   - samples: The samples; those of several channels take turns.
    ///   - sampleRate: Samples per second and channel.
    ///   - channelCount: The number of channels. Models take one.
    public static func fromFloatSamples(
        _ samples: [Float], sampleRate: Int, channelCount: Int = 1
    ) -> ChatMessageContent {
        .audio(WAVFile(samples: samples, sampleRate: sampleRate, channelCount: channelCount).data)
    }

    /// A recording, as the bytes of a file. Every format but `"wav"` is refused when a model is to hear it.
    public static func audio(data: Data, format: String = "wav") -> ChatMessageContent { .audio(data) }
}

extension ChatMessageContent {
    /// The part as it is: recordings of samples are WAV files from the start, and lose nothing by that. In versions 0.10
    /// they had a kind of their own, which this turned into a recording.
    public func toAudio() -> ChatMessageContent { self }

    /// The bytes of a recording's WAV file; none of what is no recording.
    public func toWavBytes() -> Data { if case .audio(let data) = self { data } else { Data() } }
}

// MARK: - Checks

extension ChatMessageContent {
    /// The part, if it is what a model may take: any text, a JPEG, PNG or WebP file, a WAV file of one channel.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)``.
    public func validated() throws(LeapError) -> ChatMessageContent {
        switch self {
        case .text: break
        case .image(let data):
            guard ImageURL.mediaType(of: data) != nil else {
                throw .serializationFailure(
                    "the picture cannot be used: its first bytes are not those of a JPEG, PNG or WebP file", nil)
            }
        case .audio(let data): _ = try WAVFile(data: data).mono()
        }
        return self
    }
}

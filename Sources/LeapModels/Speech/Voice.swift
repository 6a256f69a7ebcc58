public import LeapGGUF

/// The parts with which a language model speaks: one turns its rows into codes, the other codes into audio.
public struct Voice: Sendable {
    /// Generates codes.
    public let depthformer: Depthformer
    /// Turns codes into audio.
    public let detokenizer: SpeechDetokenizer

    /// Binds both parts.
    ///
    /// - Parameters:
    ///   - vocoder: Holds the depthformer and the table of codes.
    ///   - tokenizer: Contains the model that turns codes into spectra; if `nil`, the vocoder does.
    /// - Throws: ``ModelError``.
    public init(vocoder: GGUFFile, tokenizer: GGUFFile?) throws(ModelError) {
        depthformer = try Depthformer(vocoder)
        detokenizer = try SpeechDetokenizer(vocoder: vocoder, tokenizer: tokenizer)
    }

    /// The files that are read while it speaks.
    public var files: [GGUFFile] { [depthformer.file, detokenizer.file] }
}

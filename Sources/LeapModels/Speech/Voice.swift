public import LeapGGUF

/// What lets a language model speak: what makes codes of its rows, and what makes sound of codes.
public struct Voice: Sendable {
    /// Makes codes.
    public let depthformer: Depthformer
    /// Makes sound.
    public let detokenizer: SpeechDetokenizer

    /// Binds both parts.
    ///
    /// - Parameters:
    ///   - vocoder: Holds the depthformer and the table of codes.
    ///   - tokenizer: Holds the model that makes spectra of codes; the vocoder does, where it is `nil`.
    /// - Throws: ``ModelError``.
    public init(vocoder: GGUFFile, tokenizer: GGUFFile?) throws(ModelError) {
        depthformer = try Depthformer(vocoder)
        detokenizer = try SpeechDetokenizer(vocoder: vocoder, tokenizer: tokenizer)
    }

    /// The files that are read while it speaks.
    public var files: [GGUFFile] { [depthformer.file, detokenizer.file] }
}

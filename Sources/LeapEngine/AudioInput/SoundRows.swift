/// What a model reads of a sound, for tools that compare it with what other implementations make of the same.
public struct SoundRows: Sendable {
    /// Samples a second of the file.
    public let sampleRate: Int
    /// Samples of the file.
    public let sampleCount: Int
    /// `[n, embeddingLength]`
    public let rows: [[Float]]
}

extension LoadedModel {
    /// What the model reads of a sound.
    ///
    /// - Throws: ``EngineError/hearsNothing``, or what is wrong with the sound.
    public func rows(of sound: Sound) throws -> SoundRows {
        guard let audioInput else { throw EngineError.hearsNothing }
        return try audioInput.rows(of: sound)
    }
}

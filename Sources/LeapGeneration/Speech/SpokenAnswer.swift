import LeapDigest
public import LeapModels
public import LeapTokenizer

/// A spoken answer as the model generated it: tokens and frames of codes, in order, so that a later prompt can show them to
/// the model again. They must be kept because codes cannot be recovered from the sound.
public struct SpokenAnswer: Sendable, Hashable {
    /// A step.
    public enum Item: Sendable, Hashable {
        /// A token of the text, or one that controls audio.
        case token(Token)
        /// A frame of codes; all of them are the end code where the sound ended.
        case frame(CodeFrame)
    }

    /// The steps.
    public internal(set) var items: [Item] = []

    /// The frames that sounded.
    public var frames: [CodeFrame] {
        items.compactMap { if case .frame(let frame) = $0, frame.sounds { frame } else { nil } }
    }

    /// The answer as a model reads it: a row for every step, the same as when it was generated.
    public func media(of model: LanguageModel, _ voice: Voice) -> PromptMedia {
        var hash = SHA256()
        hash.update(data: Array("spoken\n".utf8))
        // Other vocoders have other rows.
        for element in voice.depthformer.row(of: frames.first ?? .end) {
            hash.update(data: withUnsafeBytes(of: element.bitPattern.littleEndian) { Array($0) })
        }
        for item in items {
            switch item {
            case .token(let token): hash.update(data: Array("t\(token)\n".utf8))
            case .frame(let frame): hash.update(data: Array("f\(frame.values)\n".utf8))
            }
        }
        return PromptMedia(digest: hash.finalize(), rowCount: items.count) { _ in
            SpokenRows(self, model, voice)
        }
    }

    fileprivate func rows(of model: LanguageModel, _ voice: Voice) throws(ModelError) -> [[Float]] {
        var rows: [[Float]] = []
        for item in items {
            switch item {
            case .token(let token): rows.append(try model.embeddingRow(of: token))
            case .frame(let frame): rows.append(voice.depthformer.row(of: frame))
            }
        }
        return rows
    }
}

/// Looks up rows, which needs no encoding.
private final class SpokenRows: MediaEncoding {
    private let answer: SpokenAnswer
    private let model: LanguageModel
    private let voice: Voice

    init(_ answer: SpokenAnswer, _ model: LanguageModel, _ voice: Voice) {
        (self.answer, self.model, self.voice) = (answer, model, voice)
    }

    let progress = 0.0

    func advance(_ isCancelled: () -> Bool) throws -> [[Float]]? { try answer.rows(of: model, voice) }
}

public import LeapModels

/// How an answer is spoken.
public struct SpeechRequest: Sendable {
    /// What speaks.
    public let voice: Voice
    /// The tokens that control audio.
    public let marks: SpeechMarks
    /// How words and sound follow each other.
    public var order: SpeechOrder
    /// The temperature at which codes are drawn: 0 always takes the likeliest.
    public var temperature: Float
    /// How many of the likeliest codes are drawn from; 0 for all.
    public var topK: Int

    /// Asks for speech.
    public init(_ voice: Voice, _ marks: SpeechMarks, order: SpeechOrder, temperature: Float, topK: Int) {
        self.voice = voice
        self.marks = marks
        self.order = order
        self.temperature = temperature
        self.topK = topK
    }
}

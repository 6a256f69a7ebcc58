#if !Leap0107 && !Leap010
/// The reason why a generation ended. No cases will be added, so that programs can switch over it without a default;
/// see ``GenerationEnding`` for details.
public enum GenerationFinishReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// The model ended its answer, the maximum number of tokens was generated, or the caller stopped the generation.
    case stop
    /// The context is full.
    case exceed_context

    /// Same as ``exceed_context``.
    public static var exceedContext: GenerationFinishReason { .exceed_context }
}

extension GenerationEnding {
    /// The most likely ending for a finish reason.
    init(_ reason: GenerationFinishReason) {
        self = reason == .stop ? .endOfTurn : .contextFull
    }
}

extension GenerationFinishReason {
    /// The finish reason for an ending.
    package init(_ ending: GenerationEnding) {
        self = ending == .contextFull ? .exceed_context : .stop
    }
}
#endif

#if !Leap0107 && !Leap010
/// Why a generation ended. The enum is closed, so that programs may switch over it without a default;
/// ``GenerationEnding`` tells more.
public enum GenerationFinishReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// The model ended its answer, the most tokens asked for were generated, or the caller stopped it.
    case stop
    /// Prompt and answer fill the context.
    case exceed_context

    /// Same as ``exceed_context``.
    public static var exceedContext: GenerationFinishReason { .exceed_context }
}

extension GenerationEnding {
    /// The ending that a reason alone suggests.
    init(_ reason: GenerationFinishReason) {
        self = reason == .stop ? .endOfTurn : .contextFull
    }
}

extension GenerationFinishReason {
    /// The reason that an ending amounts to.
    package init(_ ending: GenerationEnding) {
        self = ending == .contextFull ? .exceed_context : .stop
    }
}
#endif

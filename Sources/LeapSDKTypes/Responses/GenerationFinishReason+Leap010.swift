#if Leap0107 || Leap010
/// The reason why a generation ended.
public enum GenerationFinishReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// The model ended its answer, or the maximum number of tokens was generated.
    case stop
    /// The context is full.
    case exceedContext
    /// The caller stopped the generation.
    case interrupted
    /// A constraint ended the generation early.
    case constraint
    /// The generation failed.
    case error

    /// Same as ``exceedContext``.
    public static var exceed_context: GenerationFinishReason { .exceedContext }
}

extension GenerationEnding {
    /// The most likely ending for a finish reason.
    init(_ reason: GenerationFinishReason) {
        switch reason {
        case .stop, .constraint, .error: self = .endOfTurn
        case .exceedContext: self = .contextFull
        case .interrupted: self = .interrupted
        }
    }
}

extension GenerationFinishReason {
    /// The finish reason for an ending.
    package init(_ ending: GenerationEnding) {
        switch ending {
        case .contextFull: self = .exceedContext
        case .interrupted: self = .interrupted
        default: self = .stop
        }
    }
}
#endif

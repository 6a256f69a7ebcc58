#if Leap0107 || Leap010
/// Why a generation ended.
public enum GenerationFinishReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// The model ended its answer, or the most tokens asked for were generated.
    case stop
    /// Prompt and answer fill the context.
    case exceedContext
    /// The caller stopped it.
    case interrupted
    /// A constraint ended it early.
    case constraint
    /// It failed.
    case error

    /// Same as ``exceedContext``.
    public static var exceed_context: GenerationFinishReason { .exceedContext }
}

extension GenerationEnding {
    /// The ending that a reason alone suggests.
    init(_ reason: GenerationFinishReason) {
        switch reason {
        case .stop, .constraint, .error: self = .endOfTurn
        case .exceedContext: self = .contextFull
        case .interrupted: self = .interrupted
        }
    }
}

extension GenerationFinishReason {
    /// The reason that an ending amounts to.
    package init(_ ending: GenerationEnding) {
        switch ending {
        case .contextFull: self = .exceedContext
        case .interrupted: self = .interrupted
        default: self = .stop
        }
    }
}
#endif

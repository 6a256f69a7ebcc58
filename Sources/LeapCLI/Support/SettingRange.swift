import ArgumentParser

/// The valid range of a sampling setting, in flags and in the chat's `/set`.
enum SettingRange: Sendable {
    /// Any number.
    case number
    /// 0 or more.
    case fromZero
    /// 1 or more.
    case fromOne
    /// More than 0.
    case positive
    /// 0 to 1.
    case share

    /// Whether a value is in the range; infinity and NaN never are.
    func contains(_ value: Float) -> Bool {
        guard value.isFinite else { return false }
        return switch self {
        case .number: true
        case .fromZero: value >= 0
        case .fromOne: value >= 1
        case .positive: value > 0
        case .share: 0...1 ~= value
        }
    }

    /// A description of the range.
    var text: String {
        switch self {
        case .number: "a number"
        case .fromZero: "0 or more"
        case .fromOne: "1 or more"
        case .positive: "more than 0"
        case .share: "0 to 1"
        }
    }

    /// - Throws: A usage error for a flag's value out of the range; `nil` means that the flag was not given.
    func check(_ flag: String, _ value: Float?) throws {
        guard let value, !contains(value) else { return }
        throw ValidationError("\(flag) must be \(text), not \(value).")
    }
}

/// The ranges of settings that both a flag and `/set` change.
extension SettingRange {
    static let temperature = fromZero
    static let topP = share
    static let minP = share
    static let repeatPenalty = positive
}

import LeapModelDownloader

/// Something not to forget.
public struct Reminder: Codable, Hashable, Sendable {
    /// What it is about.
    public let title: String
    /// When, in the words of whoever asked.
    public let date: String
}

extension Reminder {
    /// What the model is told of the function that makes one.
    static let function = LeapFunction(
        name: "create_reminder", description: "Creates a reminder",
        parameters: [
            LeapFunctionParameter(name: "title", type: .string(StringType()), description: "What it is about"),
            LeapFunctionParameter(name: "date", type: .string(StringType()), description: "The day"),
        ])
}

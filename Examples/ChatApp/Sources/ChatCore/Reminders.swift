import LeapModelDownloader

/// A reminder.
public struct Reminder: Codable, Hashable, Sendable {
    /// Its subject.
    public let title: String
    /// Its date, in the user's words.
    public let date: String
}

extension Reminder {
    /// The declaration of the function that creates one, for the model.
    static let function = LeapFunction(
        name: "create_reminder", description: "Creates a reminder",
        parameters: [
            LeapFunctionParameter(name: "title", type: .string(StringType()), description: "What it is about"),
            LeapFunctionParameter(name: "date", type: .string(StringType()), description: "The day"),
        ])
}

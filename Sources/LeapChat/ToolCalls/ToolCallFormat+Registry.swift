extension ToolCallFormat {
    /// All formats, in the order in which templates are searched for their hints.
    public static let all: [ToolCallFormat] = [.lfm, .hermes, .mistral, .llama3]

    /// Looks up a format by its name; `nil` if there is none.
    public init?(named name: String) {
        guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
        self = format
    }

    /// Detects the format in which a model writes calls from its chat template; `nil` if the template does not show it.
    public init?(detectedIn template: String) {
        let format = Self.all.first { $0.templateHints.contains { template.contains($0) } }
        guard let format else { return nil }
        self = format
    }
}

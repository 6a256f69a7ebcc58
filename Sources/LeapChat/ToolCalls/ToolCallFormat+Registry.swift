extension ToolCallFormat {
    /// All formats. What a template's hints are looked for in this order.
    public static let all: [ToolCallFormat] = [.lfm, .hermes, .mistral, .llama3]

    /// The format of a name; nil if there is none.
    public init?(named name: String) {
        guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
        self = format
    }

    /// The format in which a model writes calls, as far as its chat template shows; nil if it shows nothing.
    public init?(detectedIn template: String) {
        let format = Self.all.first { $0.templateHints.contains { template.contains($0) } }
        guard let format else { return nil }
        self = format
    }
}

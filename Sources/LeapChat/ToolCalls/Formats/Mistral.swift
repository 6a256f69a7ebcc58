extension ToolCallFormat {
    /// Mistral: a JSON array after a mark, up to the end of the answer.
    ///
    ///     [TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Paris"}}]
    ///
    /// Source: Mistral AI, mistral-common, tokenizers v2 and v3.
    public static let mistral = ToolCallFormat(
        name: "mistral", marks: ToolCallMarks(start: "[TOOL_CALLS]", end: nil, strings: .json),
        templateHints: ["[TOOL_CALLS]"],
        read: JSONCalls.calls(in:),
        write: { JSONCalls.list(of: $0, avoiding: ["[TOOL_CALLS]"]) })
}

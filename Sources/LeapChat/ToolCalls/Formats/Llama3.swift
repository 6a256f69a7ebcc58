extension ToolCallFormat {
    /// Llama 3.1 and later: the answer is a JSON object, or several separated by `;`.
    ///
    ///     {"name": "get_weather", "parameters": {"city": "Paris"}}
    ///
    /// Source: Meta, Llama 3.1 model card, JSON based tool calling.
    public static let llama3 = ToolCallFormat(
        name: "llama3",
        marks: ToolCallMarks(start: "<|python_tag|>", end: nil, bareStart: #"{"name":"#, strings: .json),
        templateHints: ["<|python_tag|>", #""parameters": "#],
        read: JSONCalls.calls(in:),
        write: { calls in
            calls.map { JSONCalls.object(of: $0, arguments: "parameters") }.joined(separator: "; ")
        })
}

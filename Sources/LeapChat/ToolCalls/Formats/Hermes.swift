extension ToolCallFormat {
    /// Hermes, Qwen and related models: one JSON object per block.
    ///
    ///     <tool_call>
    ///     {"name": "get_weather", "arguments": {"city": "Paris"}}
    ///     </tool_call>
    ///
    /// Source: Nous Research, Hermes-Function-Calling.
    public static let hermes = ToolCallFormat(
        name: "hermes", marks: ToolCallMarks(start: "<tool_call>", end: "</tool_call>", strings: .json),
        templateHints: ["<tool_call>"], writesOneCallPerBlock: true, padding: "\n",
        read: JSONCalls.calls(in:),
        write: { calls in
            calls.map { JSONCalls.object(of: $0, arguments: "arguments", avoiding: ["<tool_call>", "</tool_call>"]) }
                .joined(separator: "\n")
        })
}

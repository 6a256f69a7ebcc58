extension ToolCallFormat {
    /// LFM2 and LFM2.5: a Python list of calls, or JSON if the system prompt asks for it.
    ///
    ///     <|tool_call_start|>[get_weather(city="Paris", days=3)]<|tool_call_end|>
    ///
    /// Source: the chat templates of Liquid AI's models.
    public static let lfm = ToolCallFormat(
        name: "lfm",
        marks: ToolCallMarks(start: "<|tool_call_start|>", end: "<|tool_call_end|>", strings: .python),
        templateHints: ["<|tool_call_start|>", "<|tool_list_start|>", "List of tools: ["],
        read: { block throws(ToolCallError) in
            try JSONCalls.isJSON(block) ? JSONCalls.calls(in: block) : PythonCallParser.calls(in: block)
        },
        write: { calls in
            // Python syntax cannot express names that are not identifiers.
            calls.allSatisfy { PythonWriter.canWrite(name: $0.name) }
                ? PythonWriter.text(of: calls) : JSONCalls.list(of: calls)
        })
}

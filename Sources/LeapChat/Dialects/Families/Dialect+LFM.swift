extension Dialect {
    /// LFM2 and LFM2.5: a Python list of calls, or JSON if the system prompt asks for it.
    ///
    ///     <|tool_call_start|>[get_weather(city="Paris", days=3)]<|tool_call_end|>
    ///
    /// Source: the chat templates of Liquid AI's models.
    public static let lfm = Dialect(
        name: "lfm",
        calls: CallSyntax(opens: ["<|tool_call_start|>"], closes: ["<|tool_call_end|>"], form: .python),
        hints: ["<|tool_call_start|>", "<|tool_list_start|>", "List of tools: ["])
}

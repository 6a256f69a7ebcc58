extension Dialect {
    /// Gemma 4: a name and its arguments, without quotes around keys and with marks around strings.
    ///
    ///     <|tool_call>call:get_weather{city:<|"|>Paris<|"|>}<tool_call|>
    ///
    /// Source: Google's chat template.
    static let gemma = Dialect(
        name: "gemma",
        thoughts: [Enclosure("<|channel>thought", "<channel|>")], noise: ["<|channel>", "<channel|>"],
        calls: CallSyntax(
            opens: ["<|tool_call>"], closes: ["<tool_call|>"],
            form: .named(
                NamedForm(
                    begins: "call:", headerEnd: "{", headerEndIsArguments: true, arguments: .loose(quote: "<|\"|>"),
                    marks: ["<|\"|>"]))),
        hints: ["<|tool_call>", "<|channel>thought"])
}

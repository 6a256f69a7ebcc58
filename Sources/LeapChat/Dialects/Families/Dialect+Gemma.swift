extension Dialect {
    /// Gemma 4: a name and its arguments, without quotes around keys and with marks around strings.
    ///
    ///     <|tool_call>call:get_weather{city:<|"|>Paris<|"|>}<tool_call|>
    ///
    /// Source: Google's chat template.
    static let gemma = Dialect(
        name: "gemma",
        thoughts: [Enclosure("<|channel>thought", "<channel|>")], noise: ["<|channel>", "<channel|>"],
        calls: looseCalls(opens: "<|tool_call>", closes: "<tool_call|>", quote: "<|\"|>"),
        hints: ["<|tool_call>", "<|channel>thought"])

    /// FunctionGemma: the same with marks of its own.
    ///
    ///     <start_function_call>call:get_weather{city:<escape>Paris<escape>}<end_function_call>
    ///
    /// Source: Google's chat template.
    static let functionGemma = Dialect(
        name: "function-gemma",
        calls: looseCalls(opens: "<start_function_call>", closes: "<end_function_call>", quote: "<escape>"),
        hints: ["<start_function_call>"])

    private static func looseCalls(opens: String, closes: String, quote: String) -> CallSyntax {
        CallSyntax(
            opens: [opens], closes: [closes],
            form: .named(
                NamedForm(
                    begins: "call:", headerEnd: "{", headerEndIsArguments: true, arguments: .loose(quote: quote),
                    marks: [quote])))
    }
}

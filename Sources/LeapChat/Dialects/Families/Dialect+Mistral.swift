extension Dialect {
    /// Mistral's older models: a JSON list after a mark.
    ///
    ///     [TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Paris"}}]
    ///
    /// Source: Mistral AI, mistral-common, tokenizers v2 and v3.
    static let mistral = Dialect(
        name: "mistral",
        calls: CallSyntax(opens: ["[TOOL_CALLS]"], form: .object(ObjectForm(isList: true))),
        hints: ["[TOOL_CALLS]"])

    /// Mistral's newer models: a name and its arguments.
    ///
    ///     [TOOL_CALLS]get_weather[CALL_ID]123456789[ARGS]{"city": "Paris"}
    ///
    /// Source: Mistral AI, mistral-common, tokenizers v11 and v13.
    static let mistralNamed = Dialect(
        name: "mistral-named",
        calls: CallSyntax(
            form: .named(
                NamedForm(
                    begins: "[TOOL_CALLS]", headerEnd: "[ARGS]", marks: ["[CALL_ID]"],
                    identify: { header in
                        let parts = header.split(separator: "[CALL_ID]", omittingEmptySubsequences: false)
                        return (String(parts[0]).trimmedOfSpace, parts.count > 1 ? String(parts[1]) : nil)
                    }))),
        hints: ["[ARGS]"])
}

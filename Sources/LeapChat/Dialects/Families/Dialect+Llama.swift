extension Dialect {
    /// Llama 3.1 and later: the answer is a JSON object, or several with `;` between them; its own tools are called by name.
    ///
    ///     {"name": "get_weather", "parameters": {"city": "Paris"}}
    ///     <|python_tag|>brave_search.call(query="Paris")
    ///
    /// Source: Meta, Llama 3.1 model card, JSON based tool calling.
    static let llama3 = Dialect(
        name: "llama3",
        calls: CallSyntax(
            opens: ["<|python_tag|>"],
            form: .object(ObjectForm(argumentsKey: "parameters", isBare: true, readsDotCall: true))),
        hints: ["<|python_tag|>", #""parameters": "#, #"{"name": function name"#])
}

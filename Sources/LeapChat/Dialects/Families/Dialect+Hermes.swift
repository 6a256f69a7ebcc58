extension Dialect {
    /// Hermes, Qwen 2.5 and 3, Granite 4 and many others: a JSON object per block.
    ///
    ///     <tool_call>
    ///     {"name": "get_weather", "arguments": {"city": "Paris"}}
    ///     </tool_call>
    ///
    /// Source: Nous Research, Hermes-Function-Calling.
    static let hermes = Dialect(
        name: "hermes",
        calls: CallSyntax(opens: ["<tool_call>"], closes: ["</tool_call>"], padding: "\n", form: .object(ObjectForm())),
        hints: ["<tool_call>"])

    /// Nemotron Nano v2: the same objects in a list.
    ///
    ///     <TOOLCALL>[{"name": "get_weather", "arguments": {"city": "Paris"}}]</TOOLCALL>
    ///
    /// Source: NVIDIA's chat template.
    static let nemotron = Dialect(
        name: "nemotron",
        calls: CallSyntax(
            opens: ["<TOOLCALL>"], closes: ["</TOOLCALL>"], form: .object(ObjectForm(isList: true))),
        hints: ["<TOOLCALL>"])

    /// Apriel and MiniMax M1: a list, or objects on lines of their own.
    ///
    ///     <tool_calls>[{"name": "get_weather", "arguments": {"city": "Paris"}}]</tool_calls>
    ///
    /// Source: the chat templates of ServiceNow's and MiniMax' models.
    static let apriel = Dialect(
        name: "apriel",
        calls: CallSyntax(
            opens: ["<tool_calls>"], closes: ["</tool_calls>"], form: .object(ObjectForm(isList: true))),
        hints: ["<tool_calls>"])

    /// Granite 3: a list after a mark, up to the end of the answer. Where it was told to think, the answer has tags.
    ///
    ///     <|tool_call|>[{"name": "get_weather", "arguments": {"city": "Paris"}}]
    ///     <think>…</think><response>…</response>
    ///
    /// Source: IBM's chat template.
    static let granite = Dialect(
        name: "granite", contents: [Enclosure("<response>", "</response>", followsThought: true)],
        calls: CallSyntax(opens: ["<|tool_call|>"], form: .object(ObjectForm(isList: true))),
        hints: ["<|tool_call|>"])

    /// Phi-4-mini: a list between marks. Its template shows what functions there are, and writes no calls.
    ///
    ///     <|tool_call|>[{"name": "get_weather", "arguments": {"city": "Paris"}}]<|/tool_call|>
    ///
    /// Source: the control tokens of Microsoft's tokenizer.
    static let phi = Dialect(
        name: "phi",
        calls: CallSyntax(
            opens: ["<|tool_call|>"], closes: ["<|/tool_call|>"], form: .object(ObjectForm(isList: true))),
        hints: ["<|/tool|>"])

    /// Firefunction: a list after a word.
    ///
    ///     functools[{"name": "get_weather", "arguments": {"city": "Paris"}}]
    ///
    /// Source: Fireworks' chat template.
    static let firefunction = Dialect(
        name: "firefunction",
        calls: CallSyntax(opens: [" functools", "functools"], form: .object(ObjectForm(isList: true))),
        hints: ["functools"])

    /// Apertus: the name is the key of the arguments.
    ///
    ///     <|tools_prefix|>[{"get_weather": {"city": "Paris"}}]<|tools_suffix|>
    ///
    /// Source: the Swiss AI Initiative's chat template.
    static let apertus = Dialect(
        name: "apertus", thoughts: [Enclosure("<|inner_prefix|>", "<|inner_suffix|>")],
        calls: CallSyntax(
            opens: ["<|tools_prefix|>"], closes: ["<|tools_suffix|>"],
            form: .object(ObjectForm(isKeyed: true, isList: true))),
        hints: ["<|tools_prefix|>"])

    /// GigaChat 3.1: an object after a mark.
    ///
    ///     <|function_call|>{"name": "get_weather", "arguments": {"city": "Paris"}}
    ///
    /// Source: Sber's chat template.
    static let gigachat = Dialect(
        name: "gigachat",
        calls: CallSyntax(opens: ["<|function_call|>"], isSingle: true, form: .object(ObjectForm())),
        hints: ["<|function_call|>"])

    /// GigaChat 3: an object in a turn of its own.
    ///
    /// Source: Sber's chat template.
    static let gigachatTurns = Dialect(
        name: "gigachat-turns",
        calls: CallSyntax(
            opens: ["<|message_sep|>\n\nfunction call<|role_sep|>\n", "function call<|role_sep|>\n"], isSingle: true,
            form: .object(ObjectForm())),
        hints: ["function call<|role_sep|>"])
}

extension Dialect {
    /// gpt-oss: messages whose channel says what they are, and whose recipient may be a function.
    ///
    ///     <|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>final<|message|>…
    ///     <|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Paris"}<|call|>
    ///
    /// Source: OpenAI, Harmony response format.
    static let harmony = Dialect(
        name: "harmony", thoughts: [Enclosure("<|channel|>analysis<|message|>", "<|end|>")],
        channels: Channels(
            begins: ["<|start|>assistant", "<|channel|>"], headerEnd: "<|message|>",
            ends: ["<|end|>", "<|return|>", "<|call|>"],
            purpose: { header in
                let recipient = header.word(after: "to=")
                if let recipient, recipient.hasPrefix("functions.") {
                    return .arguments(of: String(recipient.dropFirst(10)))
                }
                guard recipient == nil || recipient == "assistant" || recipient == "user" else { return nil }
                return header.split(separator: "<|channel|>", omittingEmptySubsequences: false).last?.hasPrefix(
                    "analysis") ?? false
                    ? .thought : .answer
            },
            header: { "<|start|>assistant<|channel|>commentary to=functions.\($0) <|constrain|>json<|message|>" },
            answerHeader: "<|channel|>final<|message|>"),
        calls: CallSyntax(form: .named(NamedForm(begins: "", headerEnd: "<|message|>", ends: ["<|call|>"]))),
        hints: ["<|channel|>analysis"])

    /// Muse: messages to the user, to itself, and to functions.
    ///
    ///     <|start|>assistant to=get_weather<|message|><atem:function_calls>…
    ///
    /// Source: the model's chat template.
    static let muse = Dialect(
        name: "muse", thoughts: [Enclosure("<|start|>assistant to=self<|message|>", "<|eom|>")],
        channels: Channels(
            begins: ["<|start|>assistant"], headerEnd: "<|message|>", ends: ["<|eom|>", "<|eot|>"],
            purpose: { header in
                switch header.word(after: "to=") {
                case "self"?: .thought
                case "user"?, nil: .answer
                default: .calls
                }
            },
            header: { "<|start|>assistant to=\($0)<|message|>" }),
        calls: CallSyntax(
            opens: ["<atem:function_calls>"], closes: ["</atem:function_calls>"], padding: "\n",
            form: .tagged(invocation(prefix: "atem:"))),
        hints: ["<atem:function_calls>"])

    /// Functionary 3.2: the recipient is on a line of its own.
    ///
    ///     >>>get_weather
    ///     {"city": "Paris"}
    ///
    /// Source: MeetKai's chat template.
    static let functionaryRecipients = Dialect(
        name: "functionary-recipients",
        channels: Channels(
            begins: [">>>"], headerEnd: "\n", ends: [],
            purpose: { header in
                let recipient = header.dropFirst(3)
                guard !recipient.isEmpty, !recipient.contains(where: \.isWhitespace) else { return nil }
                return recipient == "all" ? .answer : .arguments(of: String(recipient))
            },
            header: { ">>>\($0)\n" }),
        calls: CallSyntax(form: .named(NamedForm(begins: "", headerEnd: "\n"))),
        hints: [">>>all"])

    /// Functionary 3.1: a tag with the name, and JSON in it.
    ///
    ///     <function=get_weather>{"city": "Paris"}</function>
    ///
    /// Source: MeetKai's chat template.
    static let functionary = Dialect(
        name: "functionary",
        calls: CallSyntax(
            form: .named(NamedForm(begins: "<function=", headerEnd: ">", ends: ["</function>"]))),
        hints: ["<function=example_function_name>{"])
}

extension String {
    /// The word after a text; `nil` if the text is not there.
    fileprivate func word(after text: String) -> String? {
        let parts = split(separator: text, omittingEmptySubsequences: false)
        guard parts.count > 1 else { return nil }
        return String(parts[1].prefix { !$0.isWhitespace && $0 != "<" })
    }
}

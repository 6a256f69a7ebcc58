extension Dialect {
    /// Kimi K2: a name with a number, which is the call's identifier.
    ///
    ///     <|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris"}…
    ///
    /// Source: Moonshot AI, tool calling of Kimi K2.
    static let kimi = Dialect(
        name: "kimi",
        calls: CallSyntax(
            opens: ["<|tool_calls_section_begin|>"], closes: ["<|tool_calls_section_end|>"], opensMayLack: true,
            interruptsThoughts: true,
            form: .named(
                NamedForm(
                    begins: "<|tool_call_begin|>", headerEnd: "<|tool_call_argument_begin|>",
                    ends: ["<|tool_call_end|>"],
                    identify: { header in
                        let id = header.trimmedOfSpace
                        let name = id.hasPrefix("functions.") ? String(id.dropFirst(10)) : id
                        return (name.split(separator: ":").first.map(String.init) ?? "", id)
                    },
                    header: { "functions.\($0):\($1)" }))),
        hints: ["<|tool_calls_section_begin|>"])

    /// Kimi K3: elements that are opened and closed.
    ///
    ///     <|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>…
    ///
    /// Source: Moonshot AI's chat template.
    static let kimiElements = Dialect(
        name: "kimi-elements", thoughts: [Enclosure("<|open|>think<|sep|>", "<|close|>think<|sep|>")],
        contents: [Enclosure("<|open|>response<|sep|>", "<|close|>response<|sep|>")],
        noise: ["<|close|>message<|sep|>", "<|end_of_msg|>"],
        calls: CallSyntax(
            opens: ["<|open|>tools<|sep|>"], closes: ["<|close|>tools<|sep|>"],
            form: .tagged(
                TaggedForm(
                    callBegins: "<|open|>call tool=\"", nameEnd: "\"", tagEnd: "<|sep|>",
                    argument: .init(
                        begins: "<|open|>argument key=\"", keyEnd: "\"", tagEnd: "<|sep|>",
                        end: "<|close|>argument<|sep|>", stringAttribute: "type=\"string\"",
                        attribute: { $0 ? " type=\"string\"" : " type=\"json\"" }),
                    callEnd: "<|close|>call<|sep|>", separator: "", marks: ["<|open|>", "<|close|>", "<|sep|>"]))),
        hints: ["<|open|>tools<|sep|>", "<|open|>response"])

    /// Solar Open: identifier, name and arguments, each after a mark.
    ///
    /// Source: Upstage's chat template.
    static let solar = Dialect(
        name: "solar", thoughts: [Enclosure("<|think|>", "<|end|>"), .think],
        contents: [Enclosure("<|content|>", "")], noise: ["<|begin|>assistant", "<|end|>"],
        calls: CallSyntax(
            opens: ["<|tool_calls|>"], closes: ["<|calls|>"],
            form: .named(
                NamedForm(
                    begins: "<|tool_call:begin|>", headerEnd: "<|tool_call:args|>", ends: ["<|tool_call:end|>"],
                    marks: ["<|tool_call:name|>"],
                    identify: { header in
                        let parts = header.split(separator: "<|tool_call:name|>", omittingEmptySubsequences: false)
                        return parts.count == 2 ? (String(parts[1]).trimmedOfSpace, String(parts[0])) : nil
                    },
                    header: { "call\($1)<|tool_call:name|>\($0)" }))),
        hints: ["<|tool_call:begin|>"])
}

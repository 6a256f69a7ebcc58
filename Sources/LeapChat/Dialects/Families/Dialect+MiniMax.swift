extension Dialect {
    /// MiniMax M2: names are attributes.
    ///
    ///     <minimax:tool_call>
    ///     <invoke name="get_weather">
    ///     <parameter name="city">Paris</parameter>
    ///     </invoke>
    ///     </minimax:tool_call>
    ///
    /// Source: MiniMax' chat template.
    static let miniMax = Dialect(
        name: "minimax",
        calls: CallSyntax(
            opens: ["<minimax:tool_call>"], closes: ["</minimax:tool_call>"], padding: "\n",
            form: .tagged(invocation(prefix: ""))),
        hints: ["<minimax:tool_call>"])

    /// Tags whose names are attributes: `<invoke name="get_weather">`.
    static func invocation(prefix: String) -> TaggedForm {
        TaggedForm(
            callBegins: "<\(prefix)invoke name=\"", nameEnd: "\">",
            argument: .init(
                begins: "<\(prefix)parameter name=\"", keyEnd: "\">", end: "</\(prefix)parameter>"),
            callEnd: "</\(prefix)invoke>")
    }

    /// MiniMax M3: every tag has a prefix, the tag of an argument is its name, and values have parts of the same kind.
    ///
    ///     ]<]minimax[>[<tool_call>
    ///     ]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Paris]<]minimax[>[</city>]<]minimax[>[</invoke>
    ///     ]<]minimax[>[</tool_call>
    ///
    /// Source: MiniMax' chat template.
    static let miniMaxPrefixed = Dialect(
        name: "minimax-prefixed", thoughts: [Enclosure("<mm:think>", "</mm:think>")],
        calls: CallSyntax(
            opens: ["]<]minimax[>[<tool_call>"], closes: ["]<]minimax[>[</tool_call>"], padding: "\n",
            form: .tagged(
                TaggedForm(
                    callBegins: "]<]minimax[>[<invoke name=\"", nameEnd: "\">",
                    argument: .init(begins: "]<]minimax[>[<", keyEnd: ">", end: "]<]minimax[>[</$>"),
                    callEnd: "]<]minimax[>[</invoke>", nestedPrefix: "]<]minimax[>[", separator: "",
                    marks: ["]<]minimax[>["]))),
        hints: ["]<]minimax[>["])
}

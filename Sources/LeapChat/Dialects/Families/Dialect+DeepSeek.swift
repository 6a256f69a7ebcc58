extension Dialect {
    /// DeepSeek V3.1: a name and its arguments between marks.
    ///
    ///     <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Paris"}<｜tool▁call▁end｜>…
    ///
    /// Source: DeepSeek's chat template.
    static let deepSeek = Dialect(
        name: "deepseek",
        calls: CallSyntax(
            opens: ["<｜tool▁calls▁begin｜>"], closes: ["<｜tool▁calls▁end｜>"], opensMayLack: true,
            form: .named(
                NamedForm(
                    begins: "<｜tool▁call▁begin｜>", headerEnd: "<｜tool▁sep｜>", ends: ["<｜tool▁call▁end｜>"]))),
        hints: ["<｜tool▁calls▁begin｜>"])

    /// DeepSeek V3 and R1: the arguments are a block of code.
    ///
    /// Source: DeepSeek's chat templates.
    static let deepSeekFenced = Dialect(
        name: "deepseek-fenced",
        calls: CallSyntax(
            opens: ["<｜tool▁calls▁begin｜>"], closes: ["<｜tool▁calls▁end｜>"], opensMayLack: true,
            form: .named(
                NamedForm(
                    begins: "<｜tool▁call▁begin｜>function<｜tool▁sep｜>", headerEnd: "\n```json\n",
                    ends: ["```<｜tool▁call▁end｜>", "\n```<｜tool▁call▁end｜>"],
                    marks: ["<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", "<｜tool▁call▁end｜>"]))),
        hints: ["function<｜tool▁sep｜>", "'<｜tool▁call▁begin｜>' + tool['type']"])

    /// DeepSeek V3.2 and V4: tags that say whether a value is a string.
    ///
    ///     <｜DSML｜function_calls>
    ///     <｜DSML｜invoke name="get_weather">
    ///     <｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>
    ///     </｜DSML｜invoke>
    ///     </｜DSML｜function_calls>
    ///
    /// Source: DeepSeek's encoding of messages.
    static let deepSeekTags = Dialect(
        name: "deepseek-tags",
        calls: CallSyntax(
            opens: ["<｜DSML｜function_calls>", "<｜DSML｜tool_calls>"],
            closes: ["</｜DSML｜function_calls>", "</｜DSML｜tool_calls>"], interruptsThoughts: true, padding: "\n",
            form: .tagged(
                TaggedForm(
                    callBegins: "<｜DSML｜invoke name=\"", nameEnd: "\">",
                    argument: .init(
                        begins: "<｜DSML｜parameter name=\"", keyEnd: "\"", tagEnd: ">", end: "</｜DSML｜parameter>",
                        stringAttribute: "string=\"true\"", attribute: { " string=\"\($0)\"" }),
                    callEnd: "</｜DSML｜invoke>", marks: ["｜DSML｜"]))),
        hints: ["｜DSML｜"])
}

extension Dialect {
    /// Qwen3-Coder, Qwen3.5, Nemotron 3 and Step 3.5: names and values between tags. The block may lack.
    ///
    ///     <tool_call>
    ///     <function=get_weather>
    ///     <parameter=city>
    ///     Paris
    ///     </parameter>
    ///     </function>
    ///     </tool_call>
    ///
    /// Source: the chat templates of Alibaba's, NVIDIA's and StepFun's models.
    static let qwenTags = Dialect(
        name: "qwen-tags",
        calls: CallSyntax(
            opens: ["<tool_call>"], closes: ["</tool_call>"], opensMayLack: true, interruptsThoughts: true,
            padding: "\n", form: .tagged(functionTags(padding: "\n"))),
        hints: ["<parameter=", "<function=example_function_name>"])

    /// Seed-OSS: the same in other blocks, without lines of their own for values.
    ///
    /// Source: ByteDance's chat template.
    static let seed = Dialect(
        name: "seed", thoughts: [Enclosure("<seed:think>", "</seed:think>")],
        calls: CallSyntax(
            opens: ["<seed:tool_call>"], closes: ["</seed:tool_call>"], padding: "\n",
            form: .tagged(functionTags(padding: ""))),
        hints: ["<seed:tool_call>"])

    private static func functionTags(padding: String) -> TaggedForm {
        TaggedForm(
            callBegins: "<function=", nameEnd: ">",
            argument: .init(begins: "<parameter=", keyEnd: ">", end: "</parameter>", padding: padding),
            callEnd: "</function>")
    }

    /// GLM 4.5 and later, Ling 3 and others: keys and values in turns.
    ///
    ///     <tool_call>get_weather
    ///     <arg_key>city</arg_key>
    ///     <arg_value>Paris</arg_value>
    ///     </tool_call>
    ///
    /// Source: the chat templates of Z.ai's and inclusionAI's models.
    static let glm = Dialect(
        name: "glm", noise: ["<|role_end|>"],
        calls: CallSyntax(
            opens: ["<tool_call>"], closes: ["</tool_call>"], interruptsThoughts: true, isSingle: true,
            form: .tagged(keysAndValues(begins: "", nameEnd: "\n", suffix: "", callEnd: ""))),
        hints: ["<arg_key>"])

    /// Hunyuan 3: the same with names of its own.
    ///
    /// Source: Tencent's chat template.
    static let hunyuan = Dialect(
        name: "hunyuan", thoughts: [Enclosure("<think:opensource>", "</think:opensource>")],
        calls: CallSyntax(
            opens: ["<tool_calls:opensource>"], closes: ["</tool_calls:opensource>"], opensMayLack: true, padding: "\n",
            form: .tagged(
                keysAndValues(
                    begins: "<tool_call:opensource>", nameEnd: "<tool_sep:opensource>", suffix: ":opensource",
                    callEnd: "</tool_call:opensource>"))),
        hints: ["<tool_sep:opensource>"])

    private static func keysAndValues(begins: String, nameEnd: String, suffix: String, callEnd: String) -> TaggedForm {
        TaggedForm(
            callBegins: begins, nameEnd: nameEnd,
            nameEndsBefore: callEnd.isEmpty ? ["<arg_key\(suffix)>", "</tool_call>"] : [],
            argument: .init(
                begins: "<arg_key\(suffix)>", keyEnd: "</arg_key\(suffix)>", tagEnd: "<arg_value\(suffix)>",
                end: "</arg_value\(suffix)>"),
            callEnd: callEnd)
    }

    /// MiniCPM 5: names are attributes, and what would be a tag is in a section of data.
    ///
    ///     <function name="get_weather"><param name="city">Paris</param></function>
    ///
    /// Source: OpenBMB's chat template.
    static let miniCPM = Dialect(
        name: "minicpm",
        calls: CallSyntax(
            form: .tagged(
                TaggedForm(
                    callBegins: "<function name=\"", nameEnd: "\">",
                    argument: .init(begins: "<param name=\"", keyEnd: "\">", end: "</param>", mayBeRaw: true),
                    callEnd: "</function>", separator: ""))),
        hints: ["<function name="])
}

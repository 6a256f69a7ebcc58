extension Dialect {
    /// Command R7B, Command A and later: thoughts, actions and the answer, each between marks.
    ///
    ///     <|START_ACTION|>[{"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Paris"}}]<|END_ACTION|>
    ///
    /// Source: Cohere's chat templates.
    static let command = Dialect(
        name: "command", thoughts: [Enclosure("<|START_THINKING|>", "<|END_THINKING|>")],
        contents: [
            Enclosure("<|START_RESPONSE|>", "<|END_RESPONSE|>"), Enclosure("<|START_TEXT|>", "<|END_TEXT|>"),
        ],
        calls: CallSyntax(
            opens: ["<|START_ACTION|>"], closes: ["<|END_ACTION|>"],
            form: .object(ObjectForm(argumentsKey: "parameters", nameKey: "tool_name", isList: true))),
        hints: ["<|START_ACTION|>"])

    /// Command R and R+: a list in a block of code.
    ///
    /// Source: Cohere's chat templates.
    static let commandFenced = Dialect(
        name: "command-fenced", noise: ["<|START_OF_TURN_TOKEN|>", "<|CHATBOT_TOKEN|>", "<|END_OF_TURN_TOKEN|>"],
        calls: CallSyntax(
            opens: ["Action:\n```json\n", "Action: ```json\n"], closes: ["```"],
            form: .object(ObjectForm(argumentsKey: "parameters", nameKey: "tool_name", isList: true))),
        hints: ["Action:\\n```json", "Action: ```json"])
}

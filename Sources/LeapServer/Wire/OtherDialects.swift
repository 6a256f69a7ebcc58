import LeapJSON

/// Fields by which dialects limit an answer, end it, give it a form and make the model reason, for clients that send one
/// dialect's fields to another's endpoint: if they were ignored, the answer would be longer, or of another form, than the
/// client expects.
struct OtherDialects {
    /// This dialect's field for the length of an answer.
    let length: String
    /// This dialect's field for texts that end an answer.
    let stop: String
    /// This dialect's fields for the form of an answer, in quotation marks.
    let form: String
    /// This dialect's field for reasoning, in quotation marks; `nil` where texts are continued, not messages answered.
    var reasoning: String?
    /// Which of the names below this dialect has besides.
    var own: Set<String> = []

    /// The other dialects' fields. They are refused with the name of this dialect's.
    var fields: [UnsupportedField] {
        let all = [
            field("max_tokens", of: "/v1/chat/completions", "'\(length)'"),
            field("max_completion_tokens", of: "/v1/chat/completions", "'\(length)'"),
            field("max_output_tokens", of: "/v1/responses", "'\(length)'"),
            field("n_predict", of: "/completion", "'\(length)'"),
            field("num_predict", of: "/api/chat", "'\(length)'"),
            field("stop", idle: [[], ""], of: "/v1/chat/completions", "'\(stop)'"),
            field("stop_sequences", idle: [[]], of: "/v1/messages", "'\(stop)'"),
            field("response_format", idle: [["type": "text"], [:]], of: "/v1/chat/completions", form),
            field("format", idle: [""], of: "/api/chat", form),
            field("structured_outputs", idle: [[:]], of: "vLLM's API", form),
        ]
        let others = (all + reasoningFields).filter { ![length, stop].contains($0.name) && !own.contains($0.name) }
        return own.contains(GuidedOutput.name) ? others : others + GuidedOutput.refused
    }

    private var reasoningFields: [UnsupportedField] {
        guard let reasoning else { return [] }
        return [
            field("reasoning_effort", of: "/v1/chat/completions", reasoning),
            field("reasoning", of: "/v1/responses", reasoning),
            field("thinking", of: "/v1/messages", reasoning),
            field("think", of: "/api/chat", reasoning),
            field("enable_thinking", of: "Qwen's API", reasoning),
        ]
    }

    private func field(
        _ name: String, idle: [JSONValue] = [], of dialect: String, _ equivalent: String
    ) -> UnsupportedField {
        UnsupportedField(name, idle: idle, "is a field of \(dialect): use \(equivalent)")
    }
}

import LeapJSON

/// Fields by which dialects limit an answer, end it and give it a form, for clients that send one dialect's fields to another's
/// endpoint: if they were ignored, the answer would be longer, or of another form, than the client expects.
struct OtherDialects {
    /// This dialect's field for the length of an answer.
    let length: String
    /// This dialect's field for texts that end an answer.
    let stop: String
    /// This dialect's fields for the form of an answer, in quotation marks.
    let form: String
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
        let others = all.filter { ![length, stop].contains($0.name) && !own.contains($0.name) }
        return own.contains(GuidedOutput.name) ? others : others + GuidedOutput.refused
    }

    private func field(
        _ name: String, idle: [JSONValue] = [], of dialect: String, _ equivalent: String
    ) -> UnsupportedField {
        UnsupportedField(name, idle: idle, "is a field of \(dialect): use \(equivalent)")
    }
}

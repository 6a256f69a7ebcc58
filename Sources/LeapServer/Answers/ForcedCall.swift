import LeapEngine

/// One or more tool calls that an answer is forced to consist of.
struct ForcedCall: Sendable {
    /// The functions to choose from.
    let tools: [Tool]
}

extension ChatRequest {
    /// Ignores the output format. It is about the text, and an answer that is forced to be a call has none; some clients send
    /// both.
    ///
    /// - Parameter fields: Those that may constrain the whole answer, calls included.
    /// - Throws: The error of a grammar or schema among them.
    mutating func dropOutputFormat(_ fields: FieldReader) throws(APIError) {
        let field = GenerationFields.constraintField(fields, format: "")
        guard field.isEmpty else {
            throw .invalid(
                "tool_choice", "forces a tool call, which cannot be combined with '\(field)': use only one of them")
        }
        options.constraint = nil
    }
}

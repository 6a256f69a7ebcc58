import LeapChat

/// Messages with calls in other shapes, for templates that cannot write them as they are.
extension Message {
    /// Whether the model wrote text between its reasoning and its calls.
    var hasTextBetweenThoughtsAndCalls: Bool { !calls.isEmpty && !text.isEmpty && !(reasoning ?? "").isEmpty }

    /// The message with such words at the end of its thoughts, if the model still sees them.
    var withTextMovedIntoThoughts: Message {
        guard hasTextBetweenThoughtsAndCalls, let thoughts = reasoning else { return self }
        var message = self
        message.reasoning = thoughts + "\n\n" + text
        message.text = ""
        return message
    }
}

extension [Message] {
    /// The conversation with one call a message, each before its result, as if the model had waited for it.
    var withSingleCalls: [Message] {
        var messages: [Message] = []
        var rest = self[...]
        while let message = rest.popFirst() {
            guard message.calls.count > 1 else {
                messages.append(message)
                continue
            }
            var results = Array(rest.prefix { $0.role == .tool })
            rest = rest.dropFirst(results.count)
            for (position, call) in message.calls.enumerated() {
                var part = position == 0 ? message : Message(message.role, "")
                part.calls = [call]
                messages.append(part)
                guard let place = results.firstIndex(where: { $0.callID == call.id }) else { continue }
                messages.append(results.remove(at: place))
            }
            messages += results
        }
        return messages
    }
}

/// Thoughts, and the messages of which an answer may consist.
extension AnswerReader {
    mutating func enterThought() {
        guard !isInThought else { return }
        gate.thoughtBegins()
        flush()
        isInThought = true
        thought = newThought
        thought.beginThought()
        finder = thoughtFinder
        state = .thought
        events.append(.reasoningBegins)
    }

    /// At the beginning of an answer, the end of a thought has no matching beginning.
    mutating func endUnopenedThought(_ mark: [UInt8]) {
        guard gate.isAtStart else { return gate.append(mark) }
        gate.thoughtBegins()
        gate.thoughtEnded()
    }

    /// Directly after a thought, a tag begins the answer, and its closing tag ends it. Elsewhere, both are text.
    mutating func surround(_ pair: Dialect.Enclosure, _ text: String, _ mark: [UInt8]) {
        if text == pair.start, gate.followsThought {
            tags = pair
        } else if text == pair.end, tags == pair {
            tags = nil
        } else {
            gate.append(mark)
        }
    }

    mutating func leaveThought() {
        state = .text
        guard isInThought else { return }
        thought.endThought()
        flush()
        isInThought = false
        gate.thoughtEnded()
        finder = textFinder
        events.append(.reasoningEnds)
    }
}

// MARK: - Messages

extension AnswerReader {
    private static let headerLimit = 512

    mutating func takeHeader(_ byte: UInt8) {
        guard let channels = dialect.channels else { return }
        let end = channels.headerEnd.utf8
        header.append(byte)
        if header.suffix(end.count).elementsEqual(end) {
            endHeader(String(decoding: header.dropLast(end.count), as: UTF8.self))
        } else if let mark = markAfterHeader(channels) {
            header.removeLast(mark.utf8.count)
            abandonHeader()
            act(on: mark, Array(mark.utf8))
        } else if header.count > Self.headerLimit {
            abandonHeader()
        }
    }

    /// A mark that shows that the text read as a header is not one: it ends a message or begins another header.
    private func markAfterHeader(_ channels: Channels) -> String? {
        func isNext(_ mark: String) -> Bool {
            header.count > mark.utf8.count && header.suffix(mark.utf8.count).elementsEqual(mark.utf8)
        }
        // The other marks that begin headers may also occur in one.
        return (channels.ends + channels.begins.prefix(1)).first(where: isNext)
    }

    private mutating func endHeader(_ text: String) {
        guard let purpose = dialect.channels?.purpose(text) else { return abandonHeader() }
        state = .text
        self.purpose = purpose
        switch purpose {
        case .thought: enterThought()
        case .answer, .calls: gate.thoughtEnded()
        case .arguments(let name):
            guard let calls = dialect.calls, case .named(let form) = calls.form, callEvents.accepts(name) else {
                return abandonHeader()
            }
            self.calls = CallBlockReader(argumentsOf: name, id: nil, calls, form, callEvents)
            state = .calls
        }
    }

    /// The header of the call, which becomes text if its arguments turn out to be invalid.
    mutating func takeHeaderOfCall() -> [UInt8] {
        guard case .arguments = purpose else { return [] }
        defer { (purpose, header, promptedHeader) = (.answer, [], 0) }
        return Array(header.dropFirst(promptedHeader))
    }

    /// Treats text that looked like a header as text.
    mutating func abandonHeader() {
        state = .text
        purpose = .answer
        gate.append(Array(header.dropFirst(promptedHeader)))
        header = []
        promptedHeader = 0
    }
}

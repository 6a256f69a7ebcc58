import LeapChat

extension [Message] {
    /// The conversation with call ids that every template accepts, and with results in the order of their calls.
    ///
    /// A result that names a call belongs to it, whatever stands between the two. Results without an id are assigned in
    /// order to those calls of the latest message that have no result yet.
    var withNumberedCalls: [Message] {
        var numbers = CallNumbers()
        var messages: [Message] = []
        var rest = self[...]
        while let message = rest.first {
            guard message.role == .tool else {
                messages.append(numbers.named(rest.removeFirst()))
                continue
            }
            let results = rest.prefix { $0.role == .tool }
            rest = rest.dropFirst(results.count)
            messages += numbers.ordered(Array(results))
        }
        return messages
    }
}

/// Numbers the calls of a conversation and assigns results to them.
struct CallNumbers {
    private var count = 0
    /// Call numbers by the ids that clients gave them, which need not be unique.
    private var numbers: [String: [Int]] = [:]
    /// Calls of the last message that have no result.
    private var open: [Int] = []
    private var followsCalls = false

    /// An id that all templates accept: nine letters and digits, which some require.
    static func name(_ number: Int) -> String {
        let digits = String(number)
        return "call" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    }

    /// The message with its calls numbered. Calls of earlier messages that have no result by now never get one.
    fileprivate mutating func named(_ message: Message) -> Message {
        defer { followsCalls = !message.calls.isEmpty }
        guard !message.calls.isEmpty else { return message }
        if !followsCalls { open = [] }
        var message = message
        for index in message.calls.indices {
            let number = next()
            if let name = message.calls[index].id { numbers[name, default: []].append(number) }
            open.append(number)
            message.calls[index].id = Self.name(number)
        }
        return message
    }

    /// Results that follow each other, numbered, and in the order of their calls.
    fileprivate mutating func ordered(_ results: [Message]) -> [Message] {
        followsCalls = false
        var known: [Int?] = []
        for result in results { known.append(result.callID.flatMap { answered($0) }) }
        var numbered: [(number: Int, place: Int)] = []
        for (place, number) in known.enumerated() {
            numbered.append((number ?? (open.isEmpty ? next() : open.removeFirst()), place))
        }
        return numbered.sorted { ($0.number, $0.place) < ($1.number, $1.place) }.map { number, place in
            var result = results[place]
            result.callID = Self.name(number)
            return result
        }
    }

    /// The number of the call with that id: of several, the first without a result, or else the last one.
    private mutating func answered(_ name: String) -> Int? {
        guard let named = numbers[name] else { return nil }
        let number = named.first(where: open.contains) ?? named.last
        open.removeAll { $0 == number }
        return number
    }

    private mutating func next() -> Int {
        defer { count += 1 }
        return count
    }
}

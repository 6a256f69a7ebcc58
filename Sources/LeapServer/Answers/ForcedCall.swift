import LeapEngine
import LeapJSON

/// A call that an answer must be, whatever the model would rather say.
///
/// The answer is constrained to the JSON of a call, `{"name": …, "arguments": …}`, whose arguments satisfy the function's
/// schema.
struct ForcedCall: Sendable {
    /// The functions of which one is called.
    let tools: [Tool]

    /// The schema of the answer.
    var schema: JSONValue {
        let calls = tools.map { tool -> JSONValue in
            [
                "type": "object", "required": ["name", "arguments"], "additionalProperties": false,
                "properties": ["name": ["const": .string(tool.name)], "arguments": tool.parameters],
            ]
        }
        return calls.count == 1 ? calls[0] : ["anyOf": .array(calls)]
    }
}

/// Reads the JSON of a forced call while it is written.
struct ForcedCallReader: Sendable {
    /// What has become known.
    enum Event: Sendable, Hashable {
        /// The function.
        case begins(String)
        /// The next part of its arguments.
        case arguments(String)
    }

    /// What is not understood yet.
    private var head = ""
    /// Whether the arguments have begun.
    private var isInArguments = false
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var isOver = false

    /// Reads a piece.
    mutating func read(_ text: String) -> [Event] {
        guard !isInArguments else { return arguments(text) }
        head += text
        guard let (name, rest) = beginning() else { return [] }
        isInArguments = true
        return [.begins(name)] + arguments(rest)
    }

    /// The function's name and what follows the colon behind `arguments`, once that is there.
    private func beginning() -> (name: String, rest: String)? {
        // Names have no escapes, so between quotation marks stand: {, name, :, the name, a comma, arguments, and the rest.
        let parts = head.split(separator: "\"", maxSplits: 6, omittingEmptySubsequences: false)
        guard parts.count == 7, let colon = parts[6].firstIndex(of: ":") else { return nil }
        return (String(parts[3]), String(parts[6][colon...].dropFirst().drop { $0.isWhitespace }))
    }

    /// The part of a text that belongs to the arguments: the object's own bytes.
    private mutating func arguments(_ text: String) -> [Event] {
        var taken = ""
        for character in text.unicodeScalars where !isOver {
            // What stands in front of the arguments is no part of them.
            if depth == 0, !isInString, character.properties.isWhitespace { continue }
            taken.unicodeScalars.append(character)
            follow(character)
        }
        return taken.isEmpty ? [] : [.arguments(taken)]
    }

    private mutating func follow(_ character: Unicode.Scalar) {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                isInString = character != "\""
            }
            return
        }
        switch character {
        case "\"": isInString = true
        case "{", "[": depth += 1
        case "}", "]":
            depth -= 1
            isOver = depth == 0
        default: break
        }
    }
}

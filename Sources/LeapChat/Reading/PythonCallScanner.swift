import LeapJSON
import OrderedCollections

/// Reports Python calls while they are being written: a name at its bracket, an argument at the comma after it.
///
/// It is only a preview: what it cannot follow is reported when the complete block has been parsed.
struct PythonCallScanner {
    private enum State {
        case list, name, arguments, afterCall
        /// Something that it does not support has occurred.
        case lost
    }

    private var state = State.list
    private var text: [UInt8] = []
    private var tracker = StringTracker(.python)
    private var depth = 0
    /// The arguments of the unfinished call without a name.
    private var positions = 0
    /// Its arguments that have been reported so far, under the names of their parameters.
    private(set) var arguments: OrderedDictionary<String, JSONValue> = [:]

    mutating func append(_ byte: UInt8, _ out: inout CallEvents) {
        let isSpace = byte.isASCIISpace
        switch state {
        case .list where isSpace, .afterCall where isSpace: return
        case .name where isSpace && text.isEmpty: return
        case .list: state = byte == UInt8(ascii: "[") ? .name : .lost
        case .afterCall: state = byte == UInt8(ascii: ",") ? .name : .lost
        case .name: appendName(byte, &out)
        case .arguments: appendArgument(byte, &out)
        case .lost: return
        }
    }

    private mutating func appendName(_ byte: UInt8, _ out: inout CallEvents) {
        guard byte == UInt8(ascii: "(") else {
            text.append(byte)
            if !PythonLexer.isNamePart(byte) || text.count > CallInput.nameLimit { state = .lost }
            return
        }
        let name = String(decoding: text, as: UTF8.self)
        guard ToolCall.canBeNamed(name), out.accepts(name) else { return state = .lost }
        out.begin(name, id: nil)
        (state, text, depth, positions, arguments) = (.arguments, [], 0, 0, [:])
        tracker = StringTracker(.python)
    }

    private mutating func appendArgument(_ byte: UInt8, _ out: inout CallEvents) {
        let isInString = tracker.isInString
        tracker.append(byte)
        guard !isInString else { return text.append(byte) }
        switch byte {
        case UInt8(ascii: "#"): state = .lost
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: ",") where depth == 0: return endArgument(isLast: false, &out)
        case UInt8(ascii: ")") where depth == 0: return endArgument(isLast: true, &out)
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
        if depth < 0 { state = .lost }
        text.append(byte)
    }

    private mutating func endArgument(isLast: Bool, _ out: inout CallEvents) {
        let piece = String(decoding: text, as: UTF8.self)
        text = []
        if !piece.trimmedOfSpace.isEmpty {
            guard let calls = try? PythonCallParser.calls(in: "[f(\(piece))]"), calls.count == 1 else {
                return state = .lost
            }
            let isUnpacked = piece.trimmedOfSpace.hasPrefix("**")
            for (key, value) in calls[0].arguments {
                report(key == "0" && !isUnpacked ? String(arguments.count) : key, value, &out)
            }
            guard state != .lost else { return }
        }
        guard isLast else { return }
        Self.close(arguments, &out)
        state = .afterCall
    }

    /// Reports an argument. Positions become names as in ``DeclaredFunction/named(_:)``, which sees the whole call.
    private mutating func report(_ key: String, _ value: JSONValue, _ out: inout CallEvents) {
        var name = key
        if positions == arguments.count, key == String(positions) {
            name = out.open.flatMap { out.function($0.name)?.parameter(at: positions) } ?? key
            positions += 1
        }
        guard arguments[name] == nil else { return state = .lost }
        Self.append(name, value, after: arguments.count, &out)
        arguments[name] = value
    }

    private static func append(_ name: String, _ value: JSONValue, after count: Int, _ out: inout CallEvents) {
        out.append((count == 0 ? "{" : ", ").utf8)
        out.append("\(JSONValue.string(name).text(.python)): \(value.text(.python))".utf8)
    }

    private static func close(_ arguments: OrderedDictionary<String, JSONValue>, _ out: inout CallEvents) {
        out.append((arguments.isEmpty ? "{}" : "}").utf8)
        out.end(arguments)
    }

    /// Reports the remaining parts of calls that are now complete.
    func reportRest(of calls: [ToolCall], _ out: inout CallEvents) {
        var rest = calls.dropFirst(out.calls.count).map(out.named)[...]
        if out.open != nil, let call = rest.popFirst() {
            for (index, (key, value)) in call.arguments.enumerated() where index >= arguments.count {
                Self.append(key, value, after: index, &out)
            }
            Self.close(call.arguments, &out)
        }
        for call in rest { out.appendWhole(call) }
    }
}

import LeapJSON

/// Assembles function calls from the pieces in which they arrive.
///
/// A piece names its call by `index`; id and name are only in the first piece of a call. Some servers omit the index,
/// or give every call the index 0; a new id with a name then begins a new call, as does a name after complete arguments.
/// Different indices are different calls, even with the same id.
struct ToolCallAssembler {
    /// The maximum number of calls in an answer, and their maximum total size in bytes.
    static let limits = (calls: 1024, bytes: 16 << 20)

    private struct Call {
        /// The server's index; `nil` if it sends none.
        let index: Int?
        var id = ""
        var name = ""
        var arguments = ""
        var extent = ObjectExtent()
    }

    /// The calls in the order in which they began.
    private var drafts: [Call] = []
    private var bytes = 0

    /// The calls, sorted by index.
    var calls: [ChatCompletionToolCall] {
        let order = drafts.indices.sorted { left, right in
            (drafts[left].index ?? left, left) < (drafts[right].index ?? right, right)
        }
        return order.map {
            ChatCompletionToolCall(id: drafts[$0].id, name: drafts[$0].name, arguments: drafts[$0].arguments)
        }
    }

    /// Processes an element of `delta.tool_calls`, or of `message.tool_calls`, each of which is a whole call.
    ///
    /// - Returns: The piece with the position of its call; `nil` if the limits are exceeded.
    mutating func append(_ json: JSONValue, isWhole: Bool = false) -> ChatCompletionToolCallFragment? {
        let piece = Piece(json)
        guard let position = isWhole ? begin(piece) : known(piece) ?? begin(piece) else { return nil }
        let size = piece.id.utf8.count + piece.name.utf8.count + piece.arguments.utf8.count
        guard size <= Self.limits.bytes - bytes else { return nil }
        bytes += size
        if drafts[position].id.isEmpty { drafts[position].id = piece.id }
        // Some servers repeat the name in every piece.
        if drafts[position].name != piece.name { drafts[position].name += piece.name }
        drafts[position].arguments += piece.arguments
        drafts[position].extent.append(piece.arguments)
        return ChatCompletionToolCallFragment(
            index: position, id: piece.id.isEmpty ? nil : piece.id, name: piece.name.isEmpty ? nil : piece.name,
            arguments: piece.arguments)
    }

    /// Appends a call and returns its position; `nil` if there are too many.
    private mutating func begin(_ piece: Piece) -> Int? {
        guard drafts.count < Self.limits.calls else { return nil }
        drafts.append(Call(index: piece.index))
        return drafts.count - 1
    }

    /// Returns the position of the call that a piece continues; `nil` if it begins one.
    private func known(_ piece: Piece) -> Int? {
        let numbered = drafts.indices.filter { piece.index == nil || drafts[$0].index == piece.index }
        if !piece.id.isEmpty, let position = numbered.last(where: { drafts[$0].id == piece.id }) { return position }
        guard let candidate = numbered.last else { return nil }
        return Self.begins(piece, after: drafts[candidate]) ? nil : candidate
    }

    /// Whether a piece cannot belong to the call that it would continue by its index.
    private static func begins(_ piece: Piece, after call: Call) -> Bool {
        guard !piece.name.isEmpty else { return false }
        if !piece.id.isEmpty, !call.id.isEmpty { return true }
        guard call.extent.isComplete else { return false }
        // Servers that repeat the name do so in a last piece too, which has no arguments left.
        let mayRepeat = piece.index != nil && piece.name == call.name
        return !mayRepeat || piece.arguments.contains { !$0.isWhitespace }
    }
}

/// Follows where a JSON object ends, without parsing it again with every piece.
private struct ObjectExtent {
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// Whether an object has ended; later text does not change that.
    private(set) var isComplete = false

    mutating func append(_ text: String) {
        for byte in text.utf8 where !isComplete {
            if isEscaped {
                isEscaped = false
            } else if isInString {
                isEscaped = byte == UInt8(ascii: "\\")
                isInString = byte != UInt8(ascii: "\"")
            } else {
                appendStructure(byte)
            }
        }
    }

    private mutating func appendStructure(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            isComplete = depth == 0
        default: break
        }
    }
}

/// A piece as sent by the server.
private struct Piece {
    let index: Int?
    let id: String
    let name: String
    let arguments: String

    init(_ json: JSONValue) {
        index = json["index"]?.count
        id = json["id"]?.string ?? ""
        let function = json["function"] ?? json
        name = function["name"]?.string ?? ""
        switch function["arguments"] {
        case .string(let text)?: arguments = text
        case .object(let members)?: arguments = JSONValue.object(members).text()
        default: arguments = ""
        }
    }
}

import LeapJSON

/// Assembles function calls from the pieces in which they arrive.
///
/// A piece names its call by `index`; id and name are only in the first piece of a call. Some servers omit the index,
/// or give every call the index 0; a new id with a name then begins a new call.
struct ToolCallAssembler {
    /// The maximum number of calls in an answer, and their maximum total size in bytes.
    static let limits = (calls: 1024, bytes: 16 << 20)

    private struct Call {
        /// The server's index; `nil` if it sends none.
        let index: Int?
        var id = ""
        var name = ""
        var arguments = ""
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

    /// Processes an element of `delta.tool_calls`.
    ///
    /// - Returns: The piece with the position of its call; `nil` if the limits are exceeded.
    mutating func append(_ json: JSONValue) -> ChatCompletionToolCallFragment? {
        let piece = Piece(json)
        guard let position = position(of: piece) else { return nil }
        let size = piece.id.utf8.count + piece.name.utf8.count + piece.arguments.utf8.count
        guard size <= Self.limits.bytes - bytes else { return nil }
        bytes += size
        if drafts[position].id.isEmpty { drafts[position].id = piece.id }
        // Some servers repeat the name in every piece.
        if drafts[position].name != piece.name { drafts[position].name += piece.name }
        drafts[position].arguments += piece.arguments
        return ChatCompletionToolCallFragment(
            index: position, id: piece.id.isEmpty ? nil : piece.id, name: piece.name.isEmpty ? nil : piece.name,
            arguments: piece.arguments)
    }

    /// Returns the position of a piece's call, which is appended if it is new.
    private mutating func position(of piece: Piece) -> Int? {
        if let position = known(piece) { return position }
        guard drafts.count < Self.limits.calls else { return nil }
        drafts.append(Call(index: piece.index))
        return drafts.count - 1
    }

    private func known(_ piece: Piece) -> Int? {
        if !piece.id.isEmpty, let position = drafts.lastIndex(where: { $0.id == piece.id }) { return position }
        let candidate = piece.index.map { index in drafts.lastIndex { $0.index == index } } ?? drafts.indices.last
        guard let candidate else { return nil }
        let begins = !piece.id.isEmpty && !piece.name.isEmpty && !drafts[candidate].id.isEmpty
        return begins ? nil : candidate
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

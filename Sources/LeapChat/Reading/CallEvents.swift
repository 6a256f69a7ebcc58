import LeapJSON
import OrderedCollections

/// Collects the events of calls while they are read, and holds the functions that may be called.
struct CallEvents {
    /// The functions that may be called; `nil` if there is no restriction.
    let functions: [DeclaredFunction]?
    /// Whether calls of other functions count as calls, too.
    let readsUnknown: Bool
    /// The number of calls reported so far.
    private(set) var count: Int
    /// Events that have been reported and not yet taken.
    var events: [AnswerReader.Event] = []
    /// The complete calls of this block.
    private(set) var calls: [ToolCall] = []
    /// The call that is being written.
    private(set) var open: (name: String, id: String?)?
    /// JSON of the arguments that has not been reported yet.
    private var delta: [UInt8] = []

    init(functions: [DeclaredFunction]?, readsUnknown: Bool, count: Int) {
        self.functions = functions
        self.readsUnknown = readsUnknown
        self.count = count
    }

    /// Whether a function may be called.
    func accepts(_ name: String, isBare: Bool = false) -> Bool {
        guard !name.isEmpty else { return false }
        guard let functions else { return true }
        return functions.contains { $0.name == name } || (readsUnknown && !isBare)
    }

    func function(_ name: String) -> DeclaredFunction? { functions?.first { $0.name == name } }

    /// A call with the names of its function's parameters for arguments that have only positions.
    func named(_ call: ToolCall) -> ToolCall { function(call.name)?.named(call) ?? call }

    /// The parameter for which a call has two arguments.
    func parameterGivenTwice(in call: ToolCall) -> String? { function(call.name)?.parameterGivenTwice(in: call) }

    /// A call has definitely begun.
    mutating func begin(_ name: String, id: String?) {
        open = (name, id)
        events.append(.callBegins(index: count, id: id, name: name))
    }

    /// The next part of the arguments as JSON.
    mutating func append(_ json: some Sequence<UInt8>) { delta += json }

    /// Emits what was appended, except for an incomplete character at the end.
    mutating func flush() {
        let whole = delta.prefix(UTF8Text.wholeCount(of: delta))
        guard !whole.isEmpty, open != nil else { return }
        events.append(.callArguments(index: count, String(decoding: whole, as: UTF8.self)))
        delta.removeFirst(whole.count)
    }

    /// The current call is complete.
    mutating func end(_ arguments: OrderedDictionary<String, JSONValue>, id: String? = nil) {
        guard let open else { return }
        flush()
        let call = ToolCall(name: open.name, arguments: arguments, id: open.id ?? id)
        calls.append(call)
        self.open = nil
        count += 1
    }

    /// Reports a complete call.
    mutating func appendWhole(_ call: ToolCall) {
        begin(call.name, id: call.id)
        append(JSONValue.object(call.arguments).text(.python).utf8)
        end(call.arguments)
    }

    /// The block has ended.
    mutating func endBlock() {
        flush()
        if !calls.isEmpty { events.append(.calls(calls)) }
        calls = []
    }

    /// The current call will not be completed.
    mutating func abandon() {
        flush()
        guard open != nil else { return }
        open = nil
        delta = []
        count += 1
    }
}

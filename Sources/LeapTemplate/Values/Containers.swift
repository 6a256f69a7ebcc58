import OrderedCollections

/// An immutable list. A class, so that a list has an identity and copies cost nothing.
final class ListValue {
    let items: [Value]
    let nesting: Int
    private let account: Account

    init(_ items: [Value], nesting: Int, _ account: Account) {
        self.items = items
        self.nesting = nesting
        self.account = account
    }

    deinit { account.close() }
}

/// An immutable tuple; `fields` names its elements if it is a named tuple.
final class TupleValue {
    let items: [Value]
    let fields: [String]
    let nesting: Int
    private let account: Account

    init(_ items: [Value], fields: [String] = [], nesting: Int, _ account: Account) {
        self.items = items
        self.fields = fields
        self.nesting = nesting
        self.account = account
    }

    deinit { account.close() }
}

/// An immutable dictionary in the order of insertion.
final class DictValue {
    typealias Entries = OrderedDictionary<DictKey, Value>

    let entries: Entries
    let nesting: Int
    private let account: Account

    init(_ entries: Entries, nesting: Int, _ account: Account) {
        self.entries = entries
        self.nesting = nesting
        self.account = account
    }

    deinit { account.close() }

    subscript(key: String) -> Value? {
        entries[DictKey(key)]
    }
}

extension Budget {
    func list(_ items: [Value]) throws(Failure) -> Value {
        let nesting = try nesting(around: items)
        return .list(ListValue(items, nesting: nesting, try Account(self, holding: items)))
    }

    func tuple(_ items: [Value], fields: [String] = []) throws(Failure) -> Value {
        let nesting = try nesting(around: items)
        return .tuple(TupleValue(items, fields: fields, nesting: nesting, try Account(self, holding: items)))
    }

    func dict(_ entries: DictValue.Entries) throws(Failure) -> Value {
        let nesting = try nesting(around: entries.values)
        return .dict(DictValue(entries, nesting: nesting, try Account(self, holding: entries)))
    }

    /// The nesting of a value that contains `items`.
    func nesting(around items: some Sequence<Value>) throws(Failure) -> Int {
        var deepest = 0
        for item in items { deepest = max(deepest, item.nesting) }
        guard deepest < Self.valueNesting else { throw .limit(.valueNesting(Self.valueNesting)) }
        return deepest + 1
    }

    func string(_ text: String) throws(Failure) -> Value {
        try allocate(text)
        return .string(text)
    }
}

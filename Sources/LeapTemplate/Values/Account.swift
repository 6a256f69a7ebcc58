import OrderedCollections

/// The bytes charged for a long-lived value, released with it.
struct Account {
    private let budget: Budget?
    private let bytes: Int

    private init(_ budget: Budget?, bytes: Int) {
        self.budget = budget
        self.bytes = bytes
    }

    /// Charges for a collection of `items`.
    init(_ budget: Budget, holding items: [Value]) throws(Failure) {
        var bytes = 64 + items.count * MemoryLayout<Value>.stride
        for item in items { bytes += Budget.weight(of: item) }
        try budget.touch(items.count * 3)
        try budget.hold(bytes: bytes)
        self.init(budget, bytes: bytes)
    }

    /// Charges for a dictionary.
    init(_ budget: Budget, holding entries: DictValue.Entries) throws(Failure) {
        // A key takes twice the space of a value, and the hash table a fraction of it.
        var bytes = 64 + entries.count * 4 * MemoryLayout<Value>.stride
        for (key, value) in entries { bytes += Budget.weight(of: key.value) + Budget.weight(of: value) }
        try budget.touch(entries.count * 8)
        try budget.hold(bytes: bytes)
        self.init(budget, bytes: bytes)
    }

    /// Charges for an object that refers to `value`.
    init(_ budget: Budget, referringTo value: Value) throws(Failure) {
        let bytes = 128 + Budget.weight(of: value)
        try budget.hold(bytes: bytes)
        self.init(budget, bytes: bytes)
    }

    /// For collections whose memory is accounted for elsewhere.
    static var none: Account { Account(nil, bytes: 0) }

    func close() {
        budget?.release(bytes: bytes)
    }
}

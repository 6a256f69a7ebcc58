import LeapJSON

/// A hashable value as a key of a dictionary. Numbers that are equal are the same key, whatever their types.
struct DictKey: Hashable {
    /// What keys are compared by. Tuples are flattened, so that comparing costs no more than making the key.
    private enum Identity: Hashable {
        case none
        case undefined
        case int(Int)
        case bigInt(BigInteger)
        case float(Double)
        case text(Text)
        case tuple([DictKey])
        case object(ObjectIdentifier)
    }

    /// A string that is compared by its scalars.
    private struct Text: Hashable {
        let string: String

        static func == (left: Text, right: Text) -> Bool {
            UTF8Text.areEqual(left.string, right.string)
        }

        func hash(into hasher: inout Hasher) {
            for byte in string.utf8 { hasher.combine(byte) }
        }
    }

    private let identity: Identity
    /// The key as the template gave it.
    let value: Value

    init(_ text: String) {
        identity = .text(Text(string: text))
        value = .string(text)
    }

    /// - Throws: a type error for lists and dictionaries, which Python cannot hash.
    init(_ value: Value, _ budget: Budget) throws(Failure) {
        self.value = value
        switch value {
        case .none: identity = .none
        case .undefined: identity = .undefined
        case .bool(let flag): identity = .int(flag ? 1 : 0)
        case .int(let number): identity = .int(number)
        case .bigInt(let number): identity = .bigInt(number)
        case .float(let number):
            let isWhole = number.isFinite && number.rounded(.towardZero) == number
            let whole = isWhole ? BigInteger(truncating: number) : BigInteger(0)
            identity = isWhole ? whole.int.map(Identity.int) ?? .bigInt(whole) : .float(number)
        case .string(let text), .markup(let text):
            try budget.touch(text)
            identity = .text(Text(string: text))
        case .tuple(let tuple):
            var keys: [DictKey] = []
            for item in tuple.items {
                try budget.step()
                try budget.allocate(bytes: 2 * MemoryLayout<DictKey>.stride)
                keys.append(try DictKey(item, budget))
            }
            identity = .tuple(keys)
        case .object(let object): identity = .object(ObjectIdentifier(object))
        case .list, .dict: throw .type("unhashable type: '\(value.typeName)'")
        }
    }

    static func == (left: DictKey, right: DictKey) -> Bool { left.identity == right.identity }

    func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

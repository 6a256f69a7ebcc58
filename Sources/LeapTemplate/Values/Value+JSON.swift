import LeapJSON
import OrderedCollections

extension Value {
    /// The template value of a JSON document. Its memory belongs to the caller and is not counted.
    init(_ json: JSONValue, _ budget: Budget) throws(Failure) {
        switch json {
        case .null: self = .none
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self = .int(number)
        case .number(let number): self = .float(number)
        // As in Python: overflows to infinity, or underflows to zero.
        case .exactNumber(let text): self = .float(Double(text) ?? .nan)
        case .string(let text): self = .string(text)
        case .largeInteger(let digits):
            guard let number = NumberText.integer(digits, base: 10) else {
                throw .limit(.integerDigits(Budget.integerDigits))
            }
            self = try .integer(number)
        case .array(let elements):
            var items: [Value] = []
            items.reserveCapacity(elements.count)
            for element in elements { items.append(try Value(element, budget)) }
            self = .list(ListValue(items, nesting: try budget.nesting(around: items), .none))
        case .object(let members):
            var entries: DictValue.Entries = [:]
            entries.reserveCapacity(members.count)
            for (key, member) in members { entries[DictKey(key)] = try Value(member, budget) }
            self = .dict(DictValue(entries, nesting: try budget.nesting(around: entries.values), .none))
        }
    }
}

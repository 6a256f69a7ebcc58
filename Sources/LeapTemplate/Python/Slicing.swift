/// A slice with its bounds clamped to a sequence: the indices that it selects.
struct SliceIndices {
    let start: Int
    /// Where the slice ends, which may be before its start.
    let stop: Int
    let step: Int
    /// The step as it was given, whose magnitude may be beyond the length of the sequence.
    let givenStep: Int
    let count: Int

    /// Python's `slice(start, stop, step).indices(length)`.
    init(start: Int?, stop: Int?, step: Int?, length: Int) throws(Failure) {
        let step = step ?? 1
        givenStep = step
        guard step != 0 else { throw .value("slice step cannot be zero") }
        // Beyond the length, a step's magnitude makes no difference; clamped, nothing below can overflow.
        self.step = max(-length - 1, min(length + 1, step))
        let lower = step > 0 ? 0 : -1
        let upper = step > 0 ? length : length - 1
        func fitted(_ bound: Int?, _ missing: Int) -> Int {
            guard let bound else { return missing }
            return bound < 0 ? max(lower, bound + length) : min(upper, bound)
        }
        self.start = fitted(start, step > 0 ? lower : upper)
        self.stop = fitted(stop, step > 0 ? upper : lower)
        let distance = step > 0 ? self.stop - self.start : self.start - self.stop
        count = distance > 0 ? (distance - 1) / abs(self.step) + 1 : 0
    }

    /// The selected indices as a range, if they are consecutive and ascending.
    var contiguous: Range<Int>? {
        step == 1 ? start..<start + count : nil
    }

    func select<Element>(from items: [Element]) -> [Element] {
        if let contiguous { return Array(items[contiguous]) }
        return (0..<count).map { items[start + $0 * step] }
    }
}

extension Interpreter {
    /// `base[start:stop:step]`.
    func slice(_ base: Value, _ start: Value, _ stop: Value, _ step: Value) throws(Failure) -> Value {
        if case .undefined(let undefined) = base { throw undefined.failure }
        switch base {
        case .string(let text): return try budget.string(slice(text, start, stop, step))
        case .markup(let text): return .markup(try slice(text, start, stop, step))
        case .list(let list):
            return try budget.list(indices(start, stop, step, length: list.items.count).select(from: list.items))
        case .tuple(let tuple):
            return try budget.tuple(indices(start, stop, step, length: tuple.items.count).select(from: tuple.items))
        case .object(let range as RangeObject):
            return .object(range.slice(try indices(start, stop, step, length: range.length)))
        case .dict: throw .type("unhashable type: 'slice'")
        default: throw .type("'\(base.typeName)' object is not subscriptable")
        }
    }

    private func slice(_ text: String, _ start: Value, _ stop: Value, _ step: Value) throws(Failure) -> String {
        try budget.walk(text)
        let indices = try indices(start, stop, step, length: text.scalarCount)
        if let range = indices.contiguous { return text.scalars(in: range) }
        try budget.touch(text.utf8.count * 8)
        guard !text.mayHaveMarks else { return String(indices.select(from: text.characters).joined()) }
        return String(indices.select(from: Array(text.unicodeScalars)))
    }

    private func indices(
        _ start: Value, _ stop: Value, _ step: Value, length: Int
    ) throws(Failure) -> SliceIndices {
        try SliceIndices(
            start: sliceIndex(start), stop: sliceIndex(stop), step: sliceIndex(step), length: length)
    }

    private func sliceIndex(_ value: Value) throws(Failure) -> Int? {
        switch Number(value) {
        case .int(let index): return index
        // No sequence is that long, so only the sign matters.
        case .bigInt(let index): return index.isNegative ? Int.min / 2 : Int.max / 2
        case .float: break
        case nil: if value.isNone { return nil }
        }
        throw .type("slice indices must be integers or None or have an __index__ method")
    }
}

/// Assigns slots to answers in order of arrival. An answer keeps its slot until it ends; others wait in order.
struct AnswerSlots: Sendable {
    /// The number of the answer in each slot; `nil` for free slots.
    private(set) var numbers: [Int?]
    private var waiting: [Int] = []
    private var next = 0

    /// - Parameter count: The number of slots.
    init(count: Int) {
        numbers = Array(repeating: nil, count: max(0, count))
    }

    /// Numbers further answers, and assigns free slots to them.
    mutating func enter(_ count: Int) -> Range<Int> {
        let added = next..<next + count
        next = added.upperBound
        waiting += added
        fill()
        return added
    }

    /// Removes answers, and assigns their slots to waiting ones.
    mutating func release(_ range: Range<Int>) {
        waiting.removeAll { range.contains($0) }
        numbers = numbers.map { number in number.flatMap { range.contains($0) ? nil : $0 } }
        fill()
    }

    private mutating func fill() {
        for index in numbers.indices where numbers[index] == nil && !waiting.isEmpty {
            numbers[index] = waiting.removeFirst()
        }
    }
}

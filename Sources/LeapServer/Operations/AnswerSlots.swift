/// Assigns slots to answers in order of arrival. An answer keeps its slot until it ends; others wait in order.
struct AnswerSlots: Sendable {
    /// The number of the answer in each place; `nil` where there is none.
    private(set) var numbers: [Int?]
    private var waiting: [Int] = []
    private var next = 0

    /// - Parameter count: How many places there are.
    init(count: Int) {
        numbers = Array(repeating: nil, count: max(0, count))
    }

    /// Numbers further answers, and gives places to them as far as there are some.
    mutating func enter(_ count: Int) -> Range<Int> {
        let added = next..<next + count
        next = added.upperBound
        waiting += added
        fill()
        return added
    }

    /// Takes answers away, and gives their places to those that wait.
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

import ArgumentParser

/// Numbers as llama-bench takes them: `1,2,4`, ranges `1-4`, and ranges with a step, `512-2048*2` or `10-50+10`.
struct NumberList: ExpressibleByArgument, Hashable {
    let values: [Int]

    /// The largest number, and the largest size of a range: anything beyond is a typing error.
    private static let largest = Int(Int32.max)
    private static let mostValues = 10_000

    init?(argument: String) {
        var values: [Int] = []
        for field in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let range = Self.values(of: field) else { return nil }
            values += range
        }
        self.values = values
    }

    private static func values(of field: Substring) -> [Int]? {
        if let number = number(field) { return [number] }
        let bounds = field.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = number(bounds[0]) else { return nil }
        if let last = number(bounds[1]) { return expand(first, last) { $0 + 1 } }
        let parts = bounds[1].split(omittingEmptySubsequences: false) { $0 == "+" || $0 == "*" }
        guard parts.count == 2, let last = number(parts[0]), let step = number(parts[1]) else { return nil }
        return bounds[1].contains("*") ? expand(first, last) { $0 * step } : expand(first, last) { $0 + step }
    }

    private static func number(_ field: Substring) -> Int? {
        guard !field.isEmpty, field.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(field),
            number <= largest
        else { return nil }
        return number
    }

    /// `first, next(first), …` up to `last`; `nil` for an empty or endless range.
    private static func expand(_ first: Int, _ last: Int, _ next: (Int) -> Int) -> [Int]? {
        var values: [Int] = []
        var value = first
        while value <= last {
            values.append(value)
            // The product of two numbers within the limit fits 64 bits.
            let following = next(value)
            guard following > value, values.count <= mostValues else { return nil }
            value = following
        }
        return values.isEmpty ? nil : values
    }
}

/// A prompt length and the generation length after it, `512,128`.
struct PromptAndGeneration: ExpressibleByArgument, Hashable {
    let prompt: Int
    let generation: Int

    init(prompt: Int, generation: Int) {
        self.prompt = prompt
        self.generation = generation
    }

    init?(argument: String) {
        guard let values = NumberList(argument: argument)?.values, values.count == 2 else { return nil }
        self.init(prompt: values[0], generation: values[1])
    }
}

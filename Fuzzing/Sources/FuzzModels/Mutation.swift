import LeapGeneration

/// Changes lists of edits at random.
struct Mutation {
    private var generator: SplitMix64

    init(seed: CUnsignedInt) { generator = SplitMix64(seed: UInt64(seed)) }

    /// True once in `count` times on average.
    mutating func isOneOf(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }

    /// The edits after one to three changes.
    mutating func mutated(_ edits: [Edit]) -> [Edit] {
        var edits = edits
        for _ in 0..<Int.random(in: 1...3, using: &generator) { change(&edits) }
        return edits
    }

    /// The beginning of one list and the end of another.
    mutating func crossed(_ first: [Edit], _ second: [Edit]) -> [Edit] {
        let end = Int.random(in: 0...first.count, using: &generator)
        let start = Int.random(in: 0...second.count, using: &generator)
        return Array(first[..<end] + second[start...])
    }

    private mutating func change(_ edits: inout [Edit]) {
        let index = Int.random(in: 0...edits.count, using: &generator)
        guard index < edits.count, !isOneOf(3) else { return edits.insert(anyEdit(), at: index) }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: edits.remove(at: index)
        case 1: edits.append(edits[index])
        case 2: edits[index].target = anyByte()
        case 3: edits[index].choice = anyByte()
        case 4: edits[index].form = anyByte()
        default: edits[index].number = anyNumber()
        }
    }

    private mutating func anyEdit() -> Edit {
        Edit(
            kind: Edit.Kind.allCases.randomElement(using: &generator) ?? .size, target: anyByte(), choice: anyByte(),
            form: anyByte(), number: anyNumber())
    }

    private mutating func anyByte() -> UInt8 { UInt8.random(in: 0...255, using: &generator) }

    /// Small numbers are useful more often than large ones.
    private mutating func anyNumber() -> UInt32 {
        UInt32.random(in: 0...UInt32.max, using: &generator) >> UInt32.random(in: 0..<32, using: &generator)
    }
}

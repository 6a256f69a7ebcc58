/// A row of logits, four to a vector, and the highest one of every block of 64.
///
/// A search for high logits passes over the blocks that have none: of a vocabulary of 65,536 tokens it looks at 1024
/// maxima and a few blocks. NaN is never a maximum. Storage is kept from row to row.
struct LogitRow {
    /// Logits that are processed together: as many as every CPU's vectors hold.
    typealias Lanes = SIMD4<Float>
    /// Which of them have a property.
    typealias LaneMask = SIMDMask<SIMD4<Int32>>
    /// Logits per maximum.
    static let blockSize = 64
    /// Vectors per maximum.
    static let lanesPerBlock = blockSize / Lanes.scalarCount

    /// One value per token, and -∞ up to the end of the last block.
    private(set) var lanes: [Lanes] = []
    /// How many tokens there are.
    private(set) var count = 0
    /// The highest logit of each block.
    private(set) var maxima: [Float] = []
    /// The highest logit.
    private(set) var maximum = -Float.infinity

    /// The logit of a token.
    subscript(index: Int) -> Float { lanes[index / Lanes.scalarCount][index % Lanes.scalarCount] }

    /// The vectors of a block.
    @inline(__always)
    static func lanes(of block: Int) -> Range<Int> {
        let start = block &* lanesPerBlock
        return start..<start &+ lanesPerBlock
    }

    /// Copies a row and finds its maxima.
    mutating func read(_ logits: UnsafeMutableBufferPointer<Float>) {
        count = logits.count
        let blocks = (count + Self.blockSize - 1) / Self.blockSize
        if lanes.count != blocks * Self.lanesPerBlock {
            lanes = Array(repeating: Lanes(repeating: -.infinity), count: blocks * Self.lanesPerBlock)
        }
        copy(logits)
        findMaxima(blocks)
    }

    /// Takes candidates out, as if their logits were -∞.
    mutating func remove(_ candidates: some Sequence<Candidate>) {
        for candidate in candidates {
            let index = Int(candidate.token)
            lanes[index / Lanes.scalarCount][index % Lanes.scalarCount] = -.infinity
        }
        findMaxima(maxima.count)
    }

    private mutating func copy(_ logits: UnsafeMutableBufferPointer<Float>) {
        lanes.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(logits)) }
    }

    private mutating func findMaxima(_ blocks: Int) {
        maxima.removeAll(keepingCapacity: true)
        maximum = -.infinity
        for block in 0..<blocks {
            let largest = lanes.withUnsafeBufferPointer { Self.maximum(of: block, $0) }
            maxima.append(largest)
            if largest > maximum { maximum = largest }
        }
    }

    /// The highest logit of a block: two maxima side by side, because each comparison waits for the last.
    private static func maximum(of block: Int, _ lanes: UnsafeBufferPointer<Lanes>) -> Float {
        let range = Self.lanes(of: block)
        var (even, odd) = (Lanes(repeating: -.infinity), Lanes(repeating: -.infinity))
        for pair in 0..<lanesPerBlock / 2 {
            even = even.largest(lanes[range.lowerBound &+ 2 &* pair])
            odd = odd.largest(lanes[range.lowerBound &+ 2 &* pair &+ 1])
        }
        return even.largest(odd).largestLane
    }

    /// Which lanes hold `last` or a candidate that precedes it.
    ///
    /// - Parameter index: The place of the vector.
    @inline(__always)
    static func areKept(_ lanes: Lanes, at index: Int, through last: Candidate) -> LaneMask {
        let limit = Lanes(repeating: last.logit)
        let first = index &* Lanes.scalarCount
        let token = Int(last.token)
        if first &+ 3 <= token { return lanes .>= limit }
        if first > token { return lanes .> limit }
        let isBefore = SIMD4<Int32>(0, 1, 2, 3) .<= SIMD4<Int32>(repeating: Int32(truncatingIfNeeded: token &- first))
        return (lanes .> limit) .| ((lanes .== limit) .& isBefore)
    }

    /// Calls `body` with every candidate whose logit is at least `minimum` and below `limit`, by rising ids.
    @inline(__always)
    func forEach(atLeast minimum: Float, below limit: Float = .nan, _ body: (Candidate) -> Void) {
        for block in maxima.indices where maxima[block] >= minimum {
            for index in Self.lanes(of: block) {
                // Nothing compares with NaN, so it imposes no limit.
                let isIn = (lanes[index] .>= Lanes(repeating: minimum)) .& .!(lanes[index] .>= Lanes(repeating: limit))
                guard any(isIn) else { continue }
                for lane in 0..<Lanes.scalarCount where isIn[lane] {
                    body(Candidate(index * Lanes.scalarCount + lane, lanes[index][lane]))
                }
            }
        }
    }
}

extension SIMD4<Float> {
    /// The lanes where a mask is set, and 0 elsewhere. In bits, because a choice by mask compiles to one choice per lane.
    @inline(__always)
    func masked(by mask: SIMDMask<SIMD4<Int32>>) -> SIMD4<Float> {
        let bits = unsafeBitCast(self, to: SIMD4<Int32>.self) & unsafeBitCast(mask, to: SIMD4<Int32>.self)
        return unsafeBitCast(bits, to: SIMD4<Float>.self)
    }

    /// The lanes of `other` where a mask is set, and these elsewhere.
    @inline(__always)
    func choosing(_ other: SIMD4<Float>, where mask: SIMDMask<SIMD4<Int32>>) -> SIMD4<Float> {
        let bits = unsafeBitCast(self, to: SIMD4<Int32>.self)
        let others = unsafeBitCast(other, to: SIMD4<Int32>.self)
        let difference = (bits ^ others) & unsafeBitCast(mask, to: SIMD4<Int32>.self)
        return unsafeBitCast(bits ^ difference, to: SIMD4<Float>.self)
    }

    /// The larger one of each lane and another that may be NaN, which then does not count.
    @inline(__always)
    func largest(_ other: SIMD4<Float>) -> SIMD4<Float> { choosing(other, where: other .> self) }

    /// The largest of all lanes, none of which is NaN.
    @inline(__always)
    var largestLane: Float { Swift.max(Swift.max(x, y), Swift.max(z, w)) }

    /// The sum of all lanes, always added in the same order.
    @inline(__always)
    var sumOfLanes: Float { (x + z) + (y + w) }
}

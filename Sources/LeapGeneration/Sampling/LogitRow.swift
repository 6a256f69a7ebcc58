/// A row of logits and the highest one of every block of 64.
///
/// A search for high logits passes over the blocks that have none: of a vocabulary of 65,536 tokens it looks at 1024
/// maxima and a few blocks. NaN is never a maximum.
struct LogitRow {
    /// Logits that are looked at together.
    typealias Lanes = SIMD16<Float>
    /// Which of them have a property.
    typealias LaneMask = SIMDMask<SIMD16<Int32>>
    /// Logits per maximum; a multiple of the lanes.
    static let blockSize = 64

    /// One value per token.
    private(set) var logits = UnsafeMutableBufferPointer<Float>(start: nil, count: 0)
    /// The highest logit of each block; -∞ where all are -∞ or NaN.
    private(set) var maxima: [Float] = []
    /// The highest logit.
    private(set) var maximum = -Float.infinity

    /// Takes a row and finds its maxima.
    mutating func read(_ logits: UnsafeMutableBufferPointer<Float>) {
        self.logits = logits
        maxima.removeAll(keepingCapacity: true)
        maximum = -.infinity
        var start = 0
        while start < logits.count {
            var best = Lanes(repeating: -.infinity)
            for offset in Self.laneOffsets {
                let lanes = lanes(at: start + offset)
                best.replace(with: lanes, where: lanes .> best)
            }
            let largest = best.largestLane
            maxima.append(largest)
            if largest > maximum { maximum = largest }
            start += Self.blockSize
        }
    }

    /// The places in a block where lanes begin.
    static var laneOffsets: StrideTo<Int> { stride(from: 0, to: blockSize, by: Lanes.scalarCount) }

    /// The logits from an index on; -∞ behind the last.
    @inline(__always)
    func lanes(at index: Int) -> Lanes {
        if index + Lanes.scalarCount <= logits.count {
            let offset = index * MemoryLayout<Float>.stride
            return UnsafeRawBufferPointer(logits).loadUnaligned(fromByteOffset: offset, as: Lanes.self)
        }
        var lanes = Lanes(repeating: -.infinity)
        for lane in 0..<max(logits.count - index, 0) { lanes[lane] = logits[index + lane] }
        return lanes
    }

    /// Which of the lanes from an index on hold `last` or a candidate that precedes it.
    @inline(__always)
    static func areKept(_ lanes: Lanes, at index: Int, through last: Candidate) -> LaneMask {
        let limit = Lanes(repeating: last.logit)
        let token = Int(last.token)
        if index + Lanes.scalarCount - 1 <= token { return lanes .>= limit }
        if index > token { return lanes .> limit }
        let offsets = SIMD16<Int32>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
        let isBefore = offsets .<= SIMD16<Int32>(repeating: Int32(token - index))
        return (lanes .> limit) .| ((lanes .== limit) .& isBefore)
    }

    /// Calls `body` with every candidate whose logit is at least `minimum`, by rising ids.
    @inline(__always)
    func forEach(atLeast minimum: Float, _ body: (Candidate) -> Void) {
        for block in maxima.indices where maxima[block] >= minimum {
            for offset in Self.laneOffsets {
                let index = block * Self.blockSize + offset
                guard any(lanes(at: index) .>= Lanes(repeating: minimum)) else { continue }
                for i in index..<min(index + Lanes.scalarCount, logits.count) where logits[i] >= minimum {
                    body(Candidate(i, logits[i]))
                }
            }
        }
    }
}

extension SIMD16<Float> {
    /// The largest of lanes that are not NaN.
    @inline(__always)
    var largestLane: Float {
        var eight = lowHalf
        eight.replace(with: highHalf, where: highHalf .> eight)
        var four = eight.lowHalf
        four.replace(with: eight.highHalf, where: eight.highHalf .> four)
        return Swift.max(Swift.max(four.x, four.y), Swift.max(four.z, four.w))
    }

    /// The sum of all lanes, always added in the same order.
    @inline(__always)
    var sumOfLanes: Float {
        let eight = lowHalf + highHalf
        let four = eight.lowHalf + eight.highHalf
        return (four.x + four.z) + (four.y + four.w)
    }
}

import LeapBlocks

/// The rows that experts multiply, sorted by expert. A row has a *slot* for each of its experts, and the slots of one
/// expert, in row order, form a *group*.
public struct ExpertGroups {
    /// `[experts + 1]`: the first slot of each expert; after them the number of slots.
    fileprivate let starts: UnsafeMutablePointer<Int>
    /// The experts that at least one row chose, in ascending order: one group each.
    fileprivate let experts: UnsafeMutablePointer<Int>
    /// `[slots]`: the row of each slot.
    fileprivate let rows: UnsafeMutablePointer<Int>
    /// `[rows, used]`: the slots of each row, in the order in which it chose its experts.
    fileprivate let slots: UnsafeMutablePointer<Int>
    /// The number of groups; 0 if scratch memory is only counted.
    let count: Int
    /// The most groups, which determines how much memory is taken.
    let limit: Int
    /// Slots of all groups together.
    public let slotCount: Int
    /// The most slots of a group: no row chooses an expert twice.
    let largest: Int

    /// A group's expert.
    func expert(_ group: Int) -> Int { experts[group] }

    /// A group's slots; never empty.
    func slots(_ group: Int) -> Range<Int> { starts[experts[group]]..<starts[experts[group] + 1] }

    /// The row of a slot.
    public func row(ofSlot slot: Int) -> Int { rows[slot] }

    /// Visits a range of the `count × size` elements, `size` per group, split by group.
    func forEachGroup(in range: Range<Int>, size: Int, _ body: (_ group: Int, _ elements: Range<Int>) -> Void) {
        var next = range.lowerBound
        while next < range.upperBound {
            let (group, first) = next.quotientAndRemainder(dividingBy: size)
            let end = min(size, first + range.upperBound - next)
            body(group, first..<end)
            next += end - first
        }
    }
}

extension Compute {
    /// Sorts the rows of a choice by their experts.
    public func group(_ choice: ExpertChoice) -> ExpertGroups {
        let slots = choice.rows * choice.used
        let start = profiler.begin()
        defer { profiler.end(start, Operation(.routing, rows: choice.rows, bytes: slots * MemoryLayout<Int>.stride)) }
        let limit = min(choice.expertCount, slots)
        let starts = scratch.array(of: Int.self, count: choice.expertCount + 1)
        let experts = scratch.array(of: Int.self, count: limit)
        let places = scratch.array(of: Int.self, count: slots)
        let rows = scratch.array(of: Int.self, count: slots)
        let used = isCounting ? 0 : Self.sort(choice, starts: starts, experts: experts, slots: places, rows: rows)
        return ExpertGroups(
            starts: starts, experts: experts, rows: rows, slots: places, count: used, limit: limit, slotCount: slots,
            largest: choice.rows)
    }

    /// A counting sort.
    ///
    /// - Returns: The number of experts that at least one row chose.
    private static func sort(
        _ choice: ExpertChoice, starts: UnsafeMutablePointer<Int>, experts: UnsafeMutablePointer<Int>,
        slots: UnsafeMutablePointer<Int>, rows: UnsafeMutablePointer<Int>
    ) -> Int {
        let count = choice.rows * choice.used
        starts.update(repeating: 0, count: choice.expertCount + 1)
        for index in 0..<count { starts[Int(choice.experts[index]) + 1] += 1 }
        var used = 0
        for expert in 0..<choice.expertCount {
            if starts[expert + 1] > 0 {
                experts[used] = expert
                used += 1
            }
            starts[expert + 1] += starts[expert]
        }
        // While slots are assigned, `starts` holds each expert's next free slot; afterwards, that is where the next
        // expert's slots start.
        for index in 0..<count {
            let expert = Int(choice.experts[index])
            slots[index] = starts[expert]
            rows[starts[expert]] = index / choice.used
            starts[expert] += 1
        }
        for expert in stride(from: choice.expertCount, to: 0, by: -1) { starts[expert] = starts[expert - 1] }
        starts[0] = 0
        return used
    }

    /// The rows of all slots, `[slots, x.width]`.
    public func gather(_ x: Rows, _ groups: ExpertGroups) -> Rows {
        let output = scratch.rows(groups.slotCount, width: x.width)
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.routing, output, streams: 2)) }
        parallel(output.count, grain: 16, Gathering(x: x, rows: groups.rows, output: output))
        return output
    }

    /// The outputs of each row's experts, weighted and added in the order in which the row chose them: `[n, y.width]`.
    ///
    /// - Parameter y: `[slots, width]`.
    public func combine(_ y: Rows, _ choice: ExpertChoice, _ groups: ExpertGroups) -> Rows {
        let output = scratch.rows(choice.rows, width: y.width)
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.routing, y, streams: 1)) }
        parallel(
            output.count, grain: 4,
            Combining(add: kernels.floats.addScaled, y: y, choice: choice, slots: groups.slots, output: output))
        return output
    }
}

private struct Gathering: ParallelWork {
    let x: Rows
    let rows: UnsafeMutablePointer<Int>
    let output: Rows

    func run(_ range: Range<Int>, worker: Int) {
        for slot in range { output[slot].update(from: x[rows[slot]], count: x.width) }
    }
}

private struct Combining: ParallelWork {
    let add: FloatKernels.AddScaled
    let y: Rows
    let choice: ExpertChoice
    let slots: UnsafeMutablePointer<Int>
    let output: Rows

    func run(_ range: Range<Int>, worker: Int) {
        for row in range {
            output[row].update(repeating: 0, count: output.width)
            for index in row * choice.used..<(row + 1) * choice.used {
                add(output[row], y[slots[index]], choice.weights[index], output.width)
            }
        }
    }
}

extension Compute {
    /// The most bytes of scratch memory that a pass takes at one time, without allocating any.
    ///
    /// Runs the pass itself as a dry run, with a `Compute` that gives its threads no work and only counts scratch
    /// memory. What depends on the rows' positions is counted for the worst case.
    ///
    /// - Parameters:
    ///   - positions: The most positions that a row attends to.
    ///   - pass: Computes with its argument. Must not access scratch memory while ``isCounting`` is true.
    public func counted(positions: Int, _ pass: (Compute) -> Void) -> Int {
        let counter = Compute(countingFor: self, positions: positions)
        pass(counter)
        return counter.scratch.peak
    }

    /// Whether nothing is computed and ``scratch`` is only counted: its memory must not be read or written.
    public var isCounting: Bool { scratch.isCounting }
}

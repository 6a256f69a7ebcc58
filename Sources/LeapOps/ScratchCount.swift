extension Compute {
    /// The most bytes of scratch memory that a pass takes at one time, known before any of them is there.
    ///
    /// The pass itself is run, with a `Compute` that computes nothing: its threads get no work, and its scratch memory is
    /// counted and not there. What depends on how far back rows look is counted for the worst positions that they may have.
    ///
    /// - Parameters:
    ///   - positions: Positions that no row looks back beyond.
    ///   - pass: Computes with what it is given; reads and writes scratch memory only where ``isCounting`` is false.
    public func counted(positions: Int, _ pass: (Compute) -> Void) -> Int {
        let counter = Compute(countingFor: self, positions: positions)
        pass(counter)
        return counter.scratch.peak
    }

    /// Whether nothing is computed and ``scratch`` is only counted: nobody may read or write it.
    public var isCounting: Bool { scratch.isCounting }
}

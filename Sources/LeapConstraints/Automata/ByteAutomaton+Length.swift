extension ByteAutomaton {
    /// The automaton restricted to texts of `minimum` to `maximum` scalars: a product of its states with a counter.
    ///
    /// It is built from the automaton because determinising an expression that repeats any scalar a thousand times
    /// takes long.
    func bounded(
        minimum: Int, maximum: Int?, limits: AutomatonLimits = .standard
    ) throws(AutomatonError) -> ByteAutomaton {
        // Without a maximum, all counts from the minimum on are equivalent.
        let last = maximum ?? minimum
        guard last < limits.work / stateCount else { throw .tooLarge }
        var numbers = [StateID](repeating: Self.dead, count: (last + 1) * stateCount)
        var places: [(count: Int, state: Int)] = [(0, 0)]
        numbers[0] = Self.start
        var rows: [StateID] = []
        let increments = countedScalars
        var current = 0
        while current < places.count {
            let (count, state) = places[current]
            for (target, increment) in zip(table[state * classCount..<(state + 1) * classCount], increments) {
                let next = maximum == nil ? min(count + increment, last) : count + increment
                guard target >= 0, next <= last else {
                    rows.append(Self.dead)
                    continue
                }
                let place = next * stateCount + Int(target)
                if numbers[place] < 0 {
                    numbers[place] = StateID(places.count)
                    places.append((next, Int(target)))
                }
                rows.append(numbers[place])
            }
            guard places.count <= limits.states else { throw .tooLarge }
            current += 1
        }
        return ByteAutomaton(
            classes: classes, classCount: classCount, table: rows,
            accepting: places.map { $0.count >= minimum && accepting[$0.state] })
    }

    /// The number of scalars that begin with a byte of each class. No class with transitions contains both bytes that
    /// begin a scalar and bytes that do not.
    private var countedScalars: [Int] {
        var counts = [Int](repeating: 0, count: classCount)
        for byte in UInt8.min...UInt8.max { counts[Int(classes[Int(byte)])] = UTF8Ranges.isLeading(byte) ? 1 : 0 }
        return counts
    }
}

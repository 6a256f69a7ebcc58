/// The time that some work takes, in seconds.
func seconds(_ work: () throws -> Void) rethrows -> Double { try timed(work).seconds }

/// The result of some work, and the time that it takes, in seconds.
func timed<Value>(_ work: () throws -> Value) rethrows -> (value: Value, seconds: Double) {
    let start = ContinuousClock.now
    let value = try work()
    let duration = start.duration(to: .now)
    return (value, Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18)
}

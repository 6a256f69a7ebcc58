import Foundation

/// The time that some work takes, in seconds.
func seconds(_ work: () throws -> Void) rethrows -> Double { try timed(work).seconds }

/// The result of some work, and the time that it takes, in seconds.
func timed<Value>(_ work: () throws -> Value) rethrows -> (value: Value, seconds: Double) {
    let start = ContinuousClock.now
    let value = try work()
    let duration = start.duration(to: .now)
    return (value, Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18)
}

/// The result of some work, and the seconds of processor time that this thread spends on it, whatever else runs.
func processorTime<Value>(_ work: () throws -> Value) rethrows -> (value: Value, seconds: Double) {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
    let start = now()
    let value = try work()
    return (value, now() - start)
}

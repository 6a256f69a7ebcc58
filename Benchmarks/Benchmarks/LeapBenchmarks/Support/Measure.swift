import Benchmark

/// A benchmark's code, with its data prepared.
struct Iteration {
    /// Runs before every call, outside of the measurement.
    var reset: (() throws -> Void)?
    /// The measured code.
    let run: () throws -> Void
}

/// Registers a benchmark.
///
/// - Parameters:
///   - name: The parts of its name, from the general to the particular.
///   - work: The work of one call of `run`.
///   - prepare: Creates the data. Called once, before the first iteration, because most runs use few of the benchmarks.
func measure(_ name: [String], _ work: Work, prepare: @escaping () throws -> Iteration) {
    var prepared: Iteration?
    // Rates are whole numbers of their units; in thousands they would show only two digits.
    let units = Dictionary(uniqueKeysWithValues: work.metrics.map { ($0, BenchmarkUnits.count) })
    let configuration = Benchmark.Configuration(
        metrics: [.wallClock] + work.metrics, units: units, warmupIterations: 3, maxDuration: .milliseconds(500))
    Benchmark(
        name.joined(separator: "/"), configuration: configuration,
        closure: { (benchmark: Benchmark) throws in
            let iteration = try prepared ?? prepare()
            prepared = iteration
            try iteration.reset?()
            benchmark.startMeasurement()
            let start = ContinuousClock.now
            try iteration.run()
            let time = ContinuousClock.now - start
            benchmark.stopMeasurement()
            for (metric, value) in work.rates(in: time) { benchmark.measurement(metric, value) }
        },
        teardown: { prepared = nil })
}

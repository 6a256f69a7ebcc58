import Benchmark
import LeapGGUF
import LeapModels
import LeapOps
import _LeapTestSupport

/// The overhead of decoding a token: calls of the allocator and of reference counting on all threads. There should be
/// none, except for an occasional new block of the KV cache, which shows in the largest count.
func registerAllocations() {
    guard RuntimeCounter.isAvailable else { return }
    for name in ["lfm2-k-quants", "llama-q4_k"] { registerAllocations(Fixture(name: name)) }
}

private let allocations = count("allocations/token")
private let retains = count("retains/token")
private let releases = count("releases/token")

private func count(_ name: String) -> BenchmarkMetric {
    .custom(name, polarity: .prefersSmaller, useScalingFactor: false)
}

private func registerAllocations(_ fixture: Fixture) {
    let metrics = [allocations, retains, releases]
    let configuration = Benchmark.Configuration(
        metrics: metrics, units: Dictionary(uniqueKeysWithValues: metrics.map { ($0, BenchmarkUnits.count) }),
        warmupIterations: 3, maxDuration: .milliseconds(500))
    var prepared: (() throws -> RuntimeCounter.Counts)?
    Benchmark(
        ["forward", fixture.name, "decode", "allocations"].joined(separator: "/"), configuration: configuration,
        closure: { (benchmark: Benchmark) throws in
            let token = try prepared ?? decoding(fixture)
            prepared = token
            let counts = try token()
            benchmark.measurement(allocations, counts.allocations)
            benchmark.measurement(retains, counts.retains)
            benchmark.measurement(releases, counts.releases)
        },
        teardown: { prepared = nil })
}

/// Code that decodes a token and counts.
private func decoding(_ fixture: Fixture) throws -> () throws -> RuntimeCounter.Counts {
    let model = try LanguageModel.load(GGUFFile(path: fixture.path))
    let compute = Compute()
    let state = try model.makeState(capacity: model.configuration.contextLength)
    var batch = Batch(of: .answer)
    return {
        if state.position == state.capacity { state.reset() }
        batch.removeAll()
        batch.append(token: Int32(state.position % 256), to: state, wantsLogits: true)
        let pass = batch  // a captured variable would be copied for the call, and counted
        return try RuntimeCounter.count { try model.forward(pass, compute) }
    }
}

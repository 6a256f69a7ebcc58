import Testing

@testable import leap_bench

@Suite("Statistics of repeated measurements")
struct BenchStatisticsTests {
    @Test("Mean and sample standard deviation are computed")
    func meanAndDeviation() {
        let statistics = Statistics([2, 4, 4, 4, 5, 5, 7, 9])
        #expect(statistics.mean == 5)
        #expect(statistics.standardDeviation == (32.0 / 7).squareRoot())
    }

    @Test("A single sample has no deviation, and is its own median and quantiles")
    func singleSample() {
        let statistics = Statistics([3])
        #expect(statistics.standardDeviation == 0)
        #expect([0, 0.1, 0.5, 0.9, 1].map(statistics.quantile) == [3, 3, 3, 3, 3])
    }

    @Test("No samples give zeros")
    func noSamples() {
        let statistics = Statistics([])
        #expect([statistics.mean, statistics.standardDeviation, statistics.median] == [0, 0, 0])
    }

    @Test("Quantiles are interpolated between samples in any order")
    func quantiles() {
        let statistics = Statistics([40, 10, 30, 20])
        #expect(statistics.median == 25)
        #expect(statistics.quantile(0) == 10)
        #expect(statistics.quantile(1) == 40)
        #expect(abs(statistics.quantile(0.1) - 13) < 1e-9)
        #expect(abs(statistics.quantile(0.9) - 37) < 1e-9)
    }
}

import Foundation
import LeapBlocks
import LeapGGUF
import LeapModels
import LeapOps

/// Measures every point of the grid on every model, and reports as it goes.
struct Bench {
    let options: BenchOptions
    let table: KernelTable
    /// Bytes that the read-only kernel reads in a pass.
    let bandwidthBufferSize: Int

    /// The pool of the last test; one for each number of threads would wait for nothing.
    private var compute: (threads: Int, value: Compute)?

    init(options: BenchOptions, table: KernelTable, bandwidthBufferSize: Int = ReadBandwidth.largerThanCaches) {
        self.options = options
        self.table = table
        self.bandwidthBufferSize = bandwidthBufferSize
    }

    /// Runs all tests; `write` gets the report piece by piece.
    mutating func run(_ paths: [String], write: (String) -> Void) throws {
        let grid = options.grid
        // All files are looked at before the first is measured: a mistake shows at once.
        let models = try paths.map { try Self.load($0, for: grid) }
        var report = options.output.report(showsChunk: grid.chunks != [LanguageModel.chunkSize])
        write(report.begin())
        for model in models {
            let description = ModelDescription(model.value, loadSeconds: model.seconds)
            var runner: TestRunner?
            for point in grid.points {
                if options.progress { Console.note("measuring \(description.path): \(point.test.name)") }
                write(report.row(try measure(point, model.value, description, &runner)))
            }
        }
        write(report.end())
    }

    private static func load(
        _ path: String, for grid: Grid
    ) throws -> (value: LanguageModel, seconds: Double) {
        let (model, time) = try timed { try LanguageModel.load(try GGUFFile(path: path)) }
        let context = model.configuration.contextLength
        for test in grid.points.map(\.test) where test.length > context {
            throw BenchError(
                "\(path): test '\(test.name)' takes \(test.length) tokens, but the model's context has "
                    + "\(context). Use a smaller -p, -n or -d.")
        }
        return (model, time)
    }

    private mutating func measure(
        _ point: Grid.Point, _ model: LanguageModel, _ description: ModelDescription, _ runner: inout TestRunner?
    ) throws -> TestResult {
        let compute = compute(threads: point.threads)
        if runner?.compute !== compute || runner?.chunk != point.chunk { runner = nil }
        var tests = runner ?? TestRunner(model: model, compute: compute, chunk: point.chunk)
        let start = Date()
        try model.file.checkUnchanged()
        // Before and after, because what the neighbours leave of the memory's bandwidth changes.
        let before = readBandwidth(for: point.test, compute)
        let measurement = try tests.run(point.test, repetitions: options.repetitions, warmsUp: !options.skipsWarmUp)
        let after = readBandwidth(for: point.test, compute)
        runner = tests
        return TestResult(
            model: description, point: point, kernels: table.level, threadsUsed: compute.threads, start: start,
            measurement: measurement, traffic: DecodeTraffic(model), bandwidth: before + after)
    }

    private func readBandwidth(for test: TestCase, _ compute: Compute) -> [Double] {
        test.decodesOnly ? ReadBandwidth.samples(compute, bufferSize: bandwidthBufferSize) : []
    }

    private mutating func compute(threads: Int) -> Compute {
        if let compute, compute.threads == threads { return compute.value }
        let value = Compute(kernels: table, threads: threads)
        compute = (threads, value)
        return value
    }
}

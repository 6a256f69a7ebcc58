import Foundation
import LeapBlocks
import LeapGGUF
import LeapModels
import LeapOps

/// Measures every point of the grid on every model, and reports as it goes.
struct Bench {
    let options: BenchOptions
    let table: KernelTable

    /// The pool of the last test; one for each number of threads would wait for nothing.
    private var compute: (threads: Int, value: Compute)?

    init(options: BenchOptions, table: KernelTable) {
        self.options = options
        self.table = table
    }

    /// Runs all tests; `write` gets the report piece by piece.
    mutating func run(_ paths: [String], write: (String) -> Void) throws {
        let grid = options.grid
        // All files are looked at before the first is measured: a mistake shows at once.
        let models = try paths.map { try Self.load($0, for: grid) }
        var report = options.output.report(showsChunk: grid.chunks != [LanguageModel.chunkSize])
        write(report.begin())
        for model in models {
            let description = ModelDescription(model)
            var runner: TestRunner?
            for point in grid.points {
                if options.progress { Console.note("measuring \(description.path): \(point.test.name)") }
                write(report.row(try measure(point, model, description, &runner)))
            }
        }
        write(report.end())
    }

    private static func load(_ path: String, for grid: Grid) throws -> LanguageModel {
        let model = try LanguageModel.load(try GGUFFile(path: path))
        let context = model.configuration.contextLength
        for test in grid.points.map(\.test) where test.depth + test.tokens > context {
            throw BenchError(
                "\(path): test '\(test.name)' takes \(test.depth + test.tokens) tokens, but the model's context has "
                    + "\(context). Use a smaller -p, -n or -d.")
        }
        return model
    }

    private mutating func measure(
        _ point: Grid.Point, _ model: LanguageModel, _ description: ModelDescription, _ runner: inout TestRunner?
    ) throws -> TestResult {
        let compute = compute(threads: point.threads)
        if runner?.compute !== compute || runner?.chunk != point.chunk { runner = nil }
        var tests = runner ?? TestRunner(model: model, compute: compute, chunk: point.chunk)
        let start = Date()
        var bandwidth = point.test.decodesOnly ? ReadBandwidth.samples(compute) : []
        try model.file.checkUnchanged()
        let measurement = try tests.run(
            point.test, repetitions: options.repetitions, warmsUp: !options.skipsWarmUp)
        // Before and after, because what the neighbours leave of the memory's bandwidth changes.
        if point.test.decodesOnly { bandwidth += ReadBandwidth.samples(compute) }
        runner = tests
        return TestResult(
            model: description, point: point, kernels: table.level, threadsUsed: compute.threads, start: start,
            measurement: measurement, traffic: DecodeTraffic(model), bandwidth: bandwidth)
    }

    private mutating func compute(threads: Int) -> Compute {
        if let compute, compute.threads == threads { return compute.value }
        let value = Compute(kernels: table, threads: threads)
        compute = (threads, value)
        return value
    }
}

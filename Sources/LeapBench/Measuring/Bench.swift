import Foundation
import LeapBlocks
import LeapBuildInfo
import LeapGGUF
import LeapModels
import LeapOps
import LeapToolSupport

/// Measures every point of the grid on every model, and reports results as they arrive.
struct Bench {
    /// The flags of the command.
    let options: RunCommand
    let table: KernelTable
    /// The bytes that the read-only kernel reads per pass.
    let bandwidthBufferSize: Int
    /// The characters on a line of a table that was not requested to be wide.
    var tableWidth = MarkdownReport.width

    /// The pool of the last test, which is reused: keeping one per thread count would only leave threads idle.
    private var compute: (threads: Int, value: Compute)?
    private var roofline: Roofline?
    private var results: [TestResult] = []
    private let loadAverage = LoadAverage.now()

    init(options: RunCommand, table: KernelTable, bandwidthBufferSize: Int = ReadBandwidth.largerThanCaches) {
        self.options = options
        self.table = table
        self.bandwidthBufferSize = bandwidthBufferSize
    }

    /// Runs all tests.
    ///
    /// - Parameters:
    ///   - writeError: Receives the report for standard error, piece by piece.
    ///   - warn: Receives a line for anything that makes the figures unreliable.
    ///   - write: Receives the report, piece by piece.
    mutating func run(
        _ paths: [String], writeError: @escaping (String) -> Void = { _ in }, warn: (String) -> Void = { _ in },
        write: @escaping (String) -> Void
    ) throws {
        if let plot = options.plot {
            try OutputFile.check(plot, inputs: paths.flatMap { ShardName($0)?.all ?? [$0] })
        }
        if let warning = loadAverage?.warning(cpus: ProcessInfo.processInfo.processorCount) { warn(warning) }
        if let question = options.question { return try answer(question, paths, write) }
        // All files are loaded before the first is measured, so that mistakes show up immediately.
        let models = try paths.flatMap { path in try options.keyValueTypes.map { try loaded(path, $0) } }
        if options.measuresRoofline { roofline = try measureRoofline() }
        let layout = layout(models.map(\.description))
        var reports = zip([options.report.format, options.report.errorFormat], [write, writeError]).map {
            ReportStream($0.report(layout), write: $1)
        }
        for index in reports.indices { reports[index].begin() }
        for model in models {
            try measure(model) { result in for index in reports.indices { reports[index].add(result) } }
        }
        for index in reports.indices { reports[index].end { notes } }
        Disturbance.warnings(results.map { ($0.point.test.name, $0.disturbances) }).forEach(warn)
        try savePlot()
    }

    private mutating func measure(_ model: Loaded, report: (TestResult) -> Void) throws {
        if options.throughAPI {
            try measureAPI(model.value, model.description, report: report)
        } else {
            try measureGrid(model.value, model.description, report: report)
        }
    }

    private func layout(_ models: [ModelDescription]) -> ReportLayout {
        let grid = options.grid
        let tests =
            options.throughAPI
            ? grid.conversations.flatMap { APIMeasurement.tests(prompt: $0.prompt, generation: $0.generation) }
            : grid.points.map(\.test)
        return ReportLayout(
            models: models.map(\.type), tests: tests.map(\.name), showsBatch: !grid.batches.isEmpty,
            showsChunk: grid.chunks != [LanguageModel.chunkSize],
            showsTypes: options.keyValueTypes != [KeyValueChoice()], isWide: options.report.wide, width: tableWidth)
    }

    /// A loaded model and its description.
    private struct Loaded {
        let value: LanguageModel
        let description: ModelDescription
    }

    /// Loads a model with the requested types of keys and values.
    func load(_ path: String, _ types: KeyValueChoice) throws -> LanguageModel {
        let file = try GGUFFile(path: path, useMmap: options.foreign.isMapped)
        return try ModelFile.naming(path) {
            try LanguageModel.load(file, keyType: types.keys, valueType: types.values)
        }
    }

    private func loaded(_ path: String, _ types: KeyValueChoice) throws -> Loaded {
        let (model, time) = try timed { try load(path, types) }
        let context = model.configuration.contextLength
        for test in options.grid.points.map(\.test) where test.length > context {
            throw CommandError(
                "\(path): test '\(test.name)' needs \(test.length) tokens, but the model's context has "
                    + "\(context). Use a smaller -p, -n or -d.")
        }
        return Loaded(
            value: model,
            description: ModelDescription(model, isMapped: options.foreign.isMapped, loadSeconds: time))
    }

    private mutating func compute(threads: Int) -> Compute {
        if let compute, compute.threads == threads { return compute.value }
        let value = Compute(kernels: table, threads: threads)
        compute = (threads, value)
        return value
    }
}

// MARK: - Tests

extension Bench {
    /// Measures the tests of the grid.
    private mutating func measureGrid(
        _ model: LanguageModel, _ description: ModelDescription, report: (TestResult) -> Void
    ) throws {
        var runner: TestRunner?
        for point in options.grid.points {
            if !results.isEmpty { Thread.sleep(forTimeInterval: Double(options.delay)) }
            progress(description, point.test)
            let compute = compute(threads: point.threads)
            if runner?.compute !== compute || runner?.chunk != point.rows { runner = nil }
            var tests = runner ?? TestRunner(model: model, compute: compute, chunk: point.rows)
            let result = try result(point, model, description, compute) {
                try tests.run(
                    point.test, repetitions: options.repetitions, warmsUp: !options.skipsWarmUp,
                    profiles: options.profile)
            }
            runner = tests
            results.append(result)
            report(result)
        }
    }

    /// Measures every prompt with every generation, by the engine and through the API.
    private mutating func measureAPI(
        _ model: LanguageModel, _ description: ModelDescription, report: (TestResult) -> Void
    ) throws {
        let grid = options.grid
        for (threads, prompt, generation) in grid.conversations {
            let compute = compute(threads: threads)
            progress(description, TestCase(promptTokens: prompt, generatedTokens: generation))
            let times = CPUTimes.now()
            let measured = try APIMeasurement(
                model, compute, chunk: LanguageModel.chunkSize, prompt: prompt, generation: generation,
                repetitions: options.repetitions, warmsUp: !options.skipsWarmUp)
            for (test, measurement) in measured.results {
                let point = Grid.Point(chunk: LanguageModel.chunkSize, threads: threads, test: test)
                let result = try result(point, model, description, compute, since: times) { measurement }
                results.append(result)
                report(result)
            }
        }
    }

    /// Measures a test. If memory bandwidth is the test's limit, that is measured before and after as well, because
    /// other programs change the available bandwidth.
    ///
    /// - Parameter times: The CPU times at the start of the measurement.
    private func result(
        _ point: Grid.Point, _ model: LanguageModel, _ description: ModelDescription, _ compute: Compute,
        since times: CPUTimes? = .now(), measure: () throws -> Measurement
    ) throws -> TestResult {
        let start = Date()
        try model.file.checkUnchanged()
        let before = try readBandwidth(for: point.test, compute)
        let measurement = try measure()
        let after = try readBandwidth(for: point.test, compute)
        var result = TestResult(
            model: description, point: point, kernels: table.level, threadsUsed: compute.threads, start: start,
            measurement: measurement, traffic: DecodeTraffic(model), work: ModelWork(model),
            bandwidth: before + after)
        result.rooflinePoint = roofline?.point(result)
        result.loadAverage = loadAverage?.lastMinute
        if let times, let now = CPUTimes.now() { result.cpuUse = CPUUse(from: times, to: now) }
        return result
    }

    private func readBandwidth(for test: TestCase, _ compute: Compute) throws(CommandError) -> [Double] {
        test.decodesOnly ? try ReadBandwidth.samples(compute, bufferSize: bandwidthBufferSize) : []
    }

    private func progress(_ model: ModelDescription, _ test: TestCase) {
        if options.report.showsProgress { Console.error("measuring \(model.path): \(test.name)") }
    }
}

// MARK: - Notes on the results

extension Bench {
    private mutating func measureRoofline() throws -> Roofline {
        if options.report.showsProgress { Console.error("measuring the machine") }
        let most = options.grid.threads.max() ?? CPUCount.permitted
        return Roofline(
            kernels: table.level,
            peaks: try (1...max(1, min(most, CPUCount.permitted))).map {
                try Peaks.measure(compute(threads: $0), bufferSize: bandwidthBufferSize)
            })
    }

    /// The tables below the results.
    private var notes: String {
        let copies = results.map(\.measurement.extraWeightBytes).max() ?? 0
        let extra = copies > 0 ? "\nextraWeightBytes: \(copies)\n" : ""
        let profiles = results.compactMap { result in
            result.measurement.profile.map { ProfileTable(test: result.point.test.name, profile: $0).text }
        }
        let build = "\nbuild: \(BuildInfo.current.commit) (\(BuildInfo.current.number))\n"
        return build + extra + APITable(results).text + (roofline?.text(results) ?? "") + profiles.joined()
    }

    private func savePlot() throws {
        guard let path = options.plot, let roofline else { return }
        try OutputFile.write(Data(Plot(roofline: roofline, results: results).document.utf8), to: path)
        Console.error("wrote \(path)")
    }
}

extension Grid {
    /// Every prompt with every generation, by threads.
    fileprivate var conversations: [(threads: Int, prompt: Int, generation: Int)] {
        threads.flatMap { threads in
            prompts.filter { $0 > 0 }.flatMap { prompt in
                generations.filter { $0 > 0 }.map { (threads, prompt, $0) }
            }
        }
    }
}

import Foundation
import LeapBlocks
import LeapBuildInfo
import Testing

@testable import leap_bench

@Suite("Reports of leap-bench")
struct BenchReportTests {
    /// Four seconds for 128 tokens and 2 GB each, on a machine that reads 80 GB/s.
    private static let decoding = result(
        TestCase(generatedTokens: 128, depth: 512), seconds: [4, 2, 2, 1], bandwidth: [70e9, 80e9, 90e9])
    private static let prefill = result(TestCase(promptTokens: 512), seconds: [2, 2], bandwidth: [])

    private static func result(
        _ test: TestCase, seconds: [Double], bandwidth: [Double], model: String = "lfm2 1.2B Q4_K - Medium",
        weightBytes: Int = 1_000_000_000
    ) -> TestResult {
        TestResult(
            model: ModelDescription(
                path: "a \"model\".gguf", type: model, byteCount: 728_500_000,
                parameterCount: 1_170_340_608,
                keyValueTypes: KeyValueTypes(keys: .q8_0, values: .f16)),
            point: Grid.Point(chunk: 512, threads: 4, test: test), kernels: .portable, threadsUsed: 2,
            start: Date(timeIntervalSince1970: 1_700_000_000),
            measurement: Measurement(
                seconds: seconds, memory: MemoryUse(peakResident: 3 << 29, anonymous: 100 << 20)),
            traffic: DecodeTraffic(weightBytes: weightBytes, keyValueBytesPerPosition: 1000),
            work: ModelWork(layers: 1_000_000_000, logits: 0, isQuantized: true), bandwidth: bandwidth)
    }

    private static let results = [prefill, decoding]

    /// The layout of a table of some results.
    private static func layout(_ results: [TestResult]) -> ReportLayout {
        ReportLayout(models: results.map(\.model.type), tests: results.map(\.point.test.name))
    }

    private static func text(
        _ format: ReportFormat, _ results: [TestResult], change: (inout ReportLayout) -> Void = { _ in }
    ) -> String {
        var layout = layout(results)
        change(&layout)
        var report = format.report(layout)
        let start = report.begin()
        let rows = results.map { report.row($0) }
        return start + rows.joined() + report.end()
    }

    @Test("Markdown is a table of the columns that fit a line")
    func markdown() {
        let expected = """
            | model                   |       size | threads |         test |               t/s |   GB/s | of limit |       peak |
            | ----------------------- | ---------: | ------: | -----------: | ----------------: | -----: | -------: | ---------: |
            | lfm2 1.2B Q4_K - Medium | 694.75 MiB |       4 |        pp512 |     256.00 ± 0.00 |        |          |   1.50 GiB |
            | lfm2 1.2B Q4_K - Medium | 694.75 MiB |       4 | tg128 @ d512 |     72.00 ± 40.27 |   64.0 |     80 % |   1.50 GiB |

            """
        #expect(Self.text(.markdown, Self.results) == expected)
    }

    @Test("A wide table has all columns, in the same order")
    func wideMarkdown() {
        let titles = Self.text(.markdown, Self.results) { $0.isWide = true }.prefix { $0 != "\n" }
            .split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        let expected = [
            "model", "size", "params", "backend", "kernels", "threads", "test", "t/s", "median", "p10 – p90", "GB/s",
            "of limit", "peak", "private",
        ]
        #expect(titles == expected)
    }

    static let names: [(model: String, test: TestCase)] = [
        ("llama 135M Q4_1", TestCase(promptTokens: 512)), ("lfm2 350M Q4_0", TestCase(generatedTokens: 128)),
        ("lfm2 1.2B Q4_K - Medium", TestCase(generatedTokens: 128, depth: 4096)),
        ("llama 3.2 8.0B IQ4_XS - 4.25 bpw", TestCase(generatedTokens: 128, depth: 512, sequences: 8)),
        ("lfm2 2.6B Q8_0", TestCase(promptTokens: 512, generatedTokens: 128, depth: 16_384)),
        (String(repeating: "m", count: 48), TestCase(promptTokens: 4096, depth: 4096, isThroughAPI: true)),
    ]

    @Test("No line of a table is longer than 120 characters, for any test and model", arguments: names)
    func width(model: String, test: TestCase) throws {
        // The shortest makes tens of thousands of tokens per second.
        let speeds = [[0.02, 0.025], [2, 2], [700, 800]]
        let results = speeds.map { Self.result(test, seconds: $0, bandwidth: [80e9], model: model) }
        for showsAll in [false, true] {
            // Optional columns are kept when they are chosen.
            let table = Self.text(.markdown, results) { ($0.showsChunk, $0.showsTypes) = (showsAll, showsAll) }
            let widths = Set(table.split(separator: "\n").map(\.count))
            #expect(widths.count == 1, "\(table)")
            let isUsual = model.count <= 40 || !showsAll
            #expect(try #require(widths.max()) <= (isUsual ? MarkdownReport.width : 140), "\(table)")
        }
    }

    @Test("A table fits a narrower terminal by leaving out columns, never the rate")
    func narrow() {
        let table = Self.text(.markdown, Self.results) { $0.width = 80 }
        let titles = table.prefix { $0 != "\n" }.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(table.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(table)")
        #expect(titles.prefix(4) == ["model", "threads", "test", "t/s"])
        let narrowest = Self.text(.markdown, Self.results) { $0.width = 20 }
        #expect(narrowest.contains("| t/s |") || narrowest.contains("t/s |"))
    }

    @Test(
        "Rates of ten thousand and more are rounded to whole numbers",
        arguments: [(9999.99, 1.5, "9999.99 ± 1.50"), (12345.67, 123.4, "12346 ± 123"), (0.0, 0.0, "0.00 ± 0.00")])
    func rates(mean: Double, deviation: Double, expected: String) {
        #expect(Quantity.rate(mean, "±", deviation) == expected)
    }

    @Test("Short names leave room for more columns than long ones")
    func moreColumns() {
        func columns(_ model: String) -> Int {
            MarkdownReport(ReportLayout(models: [model], tests: ["pp512"])).begin().prefix { $0 != "\n" }
                .count { $0 == "|" }
        }
        #expect(columns("llama 15M Q8_0") > columns("llama 3.2 8.0B IQ4_XS - 4.25 bpw"))
    }

    @Test("Without a model there is no table")
    func noModels() { #expect(Self.text(.markdown, []) == "") }

    @Test("Markdown shows batch and chunk if the layout asks for them")
    func markdownWithChunk() {
        let lines = Self.text(.markdown, [Self.prefill]) { ($0.showsBatch, $0.showsChunk) = (true, true) }
            .split(separator: "\n")
        #expect(lines[0].contains("| threads | n_batch | n_ubatch |"))
        #expect(lines[2].contains("|       4 |     512 |      512 |"))
    }

    @Test("Markdown shows the types of keys and values if the layout asks for them")
    func markdownWithTypes() {
        let lines = Self.text(.markdown, [Self.prefill]) { $0.showsTypes = true }.split(separator: "\n")
        #expect(lines[0].contains("| threads | type_k | type_v |"))
        #expect(lines[2].contains("|       4 | q8_0   | f16    |"))
    }

    @Test("JSON names the types of keys and values")
    func jsonTypes() throws {
        let line = Data(Self.text(.jsonLines, [Self.prefill]).utf8)
        let object = try #require(JSONSerialization.jsonObject(with: line) as? [String: Any])
        #expect(object["type_k"] as? String == "q8_0")
        #expect(object["type_v"] as? String == "f16")
    }

    /// The fields that llama-bench prints, in its order.
    private static let commonFields = """
        build_commit build_number cpu_info gpu_info backends model_filename model_type model_size model_n_params n_batch \
        n_ubatch n_threads cpu_mask cpu_strict poll type_k type_v n_gpu_layers n_cpu_moe split_mode main_gpu \
        no_kv_offload flash_attn devices tensor_split tensor_buft_overrides load_mode lazy_mode embeddings no_op_offload \
        no_host repack fit_target fit_min_ctx n_prompt n_gen n_depth test_time avg_ns stddev_ns avg_ts stddev_ts \
        samples_ns samples_ts
        """.split(separator: " ").map(String.init)

    @Test("The fields begin with llama-bench's")
    func fieldNames() {
        let names = Self.decoding.fields.map(\.name)
        #expect(Array(names.prefix(Self.commonFields.count)) == Self.commonFields)
        #expect(Set(names).count == names.count)
    }

    @Test("JSON is an array of objects with numbers, strings and null")
    func json() throws {
        let text = Self.text(.json, [Self.prefill, Self.decoding])
        let objects = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        try #require(objects.count == 2)
        #expect(objects[0]["model_filename"] as? String == "a \"model\".gguf")
        #expect(objects[0]["read_rate"] is NSNull)
        #expect(objects[0]["avg_ts"] as? Double == 256)
        let decoding = objects[1]
        #expect(decoding["test"] as? String == "tg128 @ d512")
        #expect(decoding["samples_ns"] as? [Double] == [4e9, 2e9, 2e9, 1e9])
        #expect(decoding["avg_ns"] as? Int == 2_250_000_000)
        #expect(decoding["median_ts"] as? Double == 64)
        #expect(decoding["extraWeightBytes"] as? Int == 0)
        #expect(decoding["peak_resident_bytes"] as? Int == 3 << 29)
        #expect(decoding["anonymous_bytes"] as? Int == 100 << 20)
        #expect(decoding["test_time"] as? String == "2023-11-14T22:13:20Z")
        // Token i of 128 reads 512 + i positions of 1000 bytes.
        #expect(decoding["kv_bytes_per_token"] as? Double == 576_500)
        #expect(decoding["read_rate"] as? Double == 64_036_896_000.0)
        #expect(decoding["read_limit"] as? Double == 80e9)
        #expect(decoding["n_threads"] as? Int == 4)
        #expect(decoding["n_threads_used"] as? Int == 2)
    }

    @Test("An empty report is valid JSON")
    func emptyJSON() throws {
        let array = try JSONSerialization.jsonObject(with: Data(Self.text(.json, []).utf8)) as? [Any]
        #expect(array?.isEmpty == true)
    }

    @Test("JSON lines are one object each, the same as in the array")
    func jsonLines() throws {
        let lines = Self.text(.jsonLines, [Self.prefill, Self.decoding]).split(separator: "\n")
        try #require(lines.count == 2)
        let array = Self.text(.json, [Self.prefill])
        let fromArray = try #require(JSONSerialization.jsonObject(with: Data(array.utf8)) as? [NSDictionary])
        let fromLine = try #require(JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? NSDictionary)
        #expect(fromArray[0] == fromLine)
    }

    @Test("CSV has a header line, quoted values and no samples")
    func csv() throws {
        let lines = Self.text(.csv, [Self.prefill, Self.decoding]).split(separator: "\n")
        try #require(lines.count == 3)
        let names = lines[0].split(separator: ",").map(String.init)
        #expect(names.prefix(4) == ["build_commit", "build_number", "cpu_info", "gpu_info"])
        #expect(!names.contains("samples_ns"))
        #expect(lines[1].contains(#","a ""model"".gguf","#))
        #expect(lines[2].split(separator: "\",\"", omittingEmptySubsequences: false).count == names.count)
    }

    @Test("The report format for no output is empty")
    func nothing() { #expect(Self.text(.nothing, Self.results) == "") }

    @Test("Results contain the commit and the disturbances of the measurement")
    func ownFields() throws {
        var result = Self.decoding
        result.loadAverage = 1.5
        result.cpuUse = CPUUse(others: 0.25, steal: 0.0625)
        let line = Data(Self.text(.jsonLines, [result]).utf8)
        let object = try #require(JSONSerialization.jsonObject(with: line) as? [String: Any])
        #expect(object["build_commit"] as? String == BuildInfo.current.commit)
        #expect(object["build_number"] as? Int == BuildInfo.current.number)
        #expect(object["load_average"] as? Double == 1.5)
        #expect(object["others_share"] as? Double == 0.25)
        #expect(object["steal_share"] as? Double == 0.0625)
        #expect(object["disturbed_by"] as? String == "others steal")
    }

    @Test("Exceeding the limit is no disturbance if the model fits into the caches")
    func cachedModel() {
        let test = TestCase(generatedTokens: 128)
        let large = Self.result(test, seconds: [1], bandwidth: [1e9])
        let small = Self.result(test, seconds: [1], bandwidth: [1e6], weightBytes: 100_000)
        #expect(large.readShare ?? 0 > 1 && large.disturbances.count == 1)
        #expect(small.readShare ?? 0 > 1 && small.disturbances.isEmpty)
    }

    @Test("Unknown machine values are null, and no disturbance is reported")
    func ownFieldsWithoutFigures() throws {
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(Self.text(.jsonLines, [Self.prefill]).utf8)) as? [String: Any])
        #expect(object["load_average"] is NSNull && object["others_share"] is NSNull && object["steal_share"] is NSNull)
        #expect(object["disturbed_by"] as? String == "")
    }

    @Test("JSON strings are escaped, and infinity becomes null")
    func jsonText() {
        #expect(JSONText.string("a\"b\\c\n\t\r\u{1}é") == #""a\"b\\c\n\t\r\u0001é""#)
        #expect(JSONText.value(.number(.infinity)) == "null")
        #expect(JSONText.value(.numbers([1, 2.5])) == "[1, 2.5]")
    }

    @Test(
        "Parameter counts are abbreviated",
        arguments: [(135_000_000, "135M"), (1_170_340_608, "1.2B"), (999_600_000, "1000M")])
    func sizeLabels(count: Int, expected: String) { #expect(ModelDescription.sizeLabel(count) == expected) }
}

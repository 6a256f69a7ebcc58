import Foundation
import LeapBlocks
import Testing

@testable import leap_bench

@Suite("Reports of leap-bench")
struct BenchReportTests {
    /// Four seconds for 128 tokens and 2 GB each, on a machine that reads 80 GB/s.
    private static let decoding = result(
        TestCase(generatedTokens: 128, depth: 512), seconds: [4, 2, 2, 1], bandwidth: [70e9, 80e9, 90e9])
    private static let prefill = result(TestCase(promptTokens: 512), seconds: [2, 2], bandwidth: [])

    private static func result(_ test: TestCase, seconds: [Double], bandwidth: [Double]) -> TestResult {
        TestResult(
            model: ModelDescription(
                path: "a \"model\".gguf", type: "lfm2 1.2B Q4_K - Medium", byteCount: 728_500_000,
                parameterCount: 1_170_340_608,
                keyValueTypes: KeyValueTypes(keys: .q8_0, values: .f16)),
            point: Grid.Point(chunk: 512, threads: 4, test: test), kernels: .portable, threadsUsed: 2,
            start: Date(timeIntervalSince1970: 1_700_000_000),
            measurement: Measurement(
                seconds: seconds, memory: MemoryUse(peakResident: 3 << 29, anonymous: 100 << 20)),
            traffic: DecodeTraffic(weightBytes: 1_000_000_000, keyValueBytesPerPosition: 1000),
            work: ModelWork(layers: 1_000_000_000, logits: 0, isQuantized: true), bandwidth: bandwidth)
    }

    private static func text(
        _ format: ReportFormat, _ results: [TestResult], showsChunk: Bool = false, showsTypes: Bool = false
    ) -> String {
        var report = format.report(showsChunk: showsChunk, showsTypes: showsTypes)
        let start = report.begin()
        let rows = results.map { report.row($0) }
        return start + rows.joined() + report.end()
    }

    @Test("Markdown is llama-bench's table with more columns at its right")
    func markdown() {
        let expected = """
            | model                          |       size |     params | backend    | kernels  | threads |            test |                  t/s |   median |         p10 – p90 |   GB/s | of limit |       peak |    private |
            | ------------------------------ | ---------: | ---------: | ---------- | -------- | ------: | --------------: | -------------------: | -------: | ----------------: | -----: | -------: | ---------: | ---------: |
            | lfm2 1.2B Q4_K - Medium        | 694.75 MiB |     1.17 B | CPU        | portable |       4 |           pp512 |        256.00 ± 0.00 |   256.00 |   256.00 – 256.00 |        |          |   1.50 GiB | 100.00 MiB |
            | lfm2 1.2B Q4_K - Medium        | 694.75 MiB |     1.17 B | CPU        | portable |       4 |    tg128 @ d512 |        72.00 ± 40.27 |    64.00 |    41.60 – 108.80 |   64.0 |     80 % |   1.50 GiB | 100.00 MiB |

            """
        #expect(Self.text(.markdown, [Self.prefill, Self.decoding]) == expected)
    }

    @Test("Markdown tells the rows of a pass when they are not the usual ones")
    func markdownWithChunk() {
        let lines = Self.text(.markdown, [Self.prefill], showsChunk: true).split(separator: "\n")
        #expect(lines[0].contains("| threads | n_ubatch |"))
        #expect(lines[2].contains("|       4 |      512 |"))
    }

    @Test("Markdown tells how keys and values are kept when somebody chose that")
    func markdownWithTypes() {
        let lines = Self.text(.markdown, [Self.prefill], showsTypes: true).split(separator: "\n")
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
        no_kv_offload flash_attn devices tensor_split tensor_buft_overrides use_mmap embeddings no_op_offload n_prompt \
        n_gen n_depth test_time avg_ns stddev_ns avg_ts stddev_ts samples_ns samples_ts
        """.split(separator: " ").map(String.init)

    @Test("The fields begin with llama-bench's")
    func fieldNames() {
        let names = Self.decoding.fields.map(\.name)
        #expect(Array(names.prefix(Self.commonFields.count)) == Self.commonFields)
        #expect(Set(names).count == names.count)
    }

    @Test("JSON is an array of objects with numbers, texts and null")
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

    @Test("CSV has a line of names, quoted values and no samples")
    func csv() throws {
        let lines = Self.text(.csv, [Self.prefill, Self.decoding]).split(separator: "\n")
        try #require(lines.count == 3)
        let names = lines[0].split(separator: ",").map(String.init)
        #expect(names.prefix(4) == ["build_commit", "build_number", "cpu_info", "gpu_info"])
        #expect(!names.contains("samples_ns"))
        #expect(lines[1].contains(#","a ""model"".gguf","#))
        #expect(lines[2].split(separator: "\",\"", omittingEmptySubsequences: false).count == names.count)
    }

    @Test("JSON escapes what it must and knows no infinity")
    func jsonText() {
        #expect(JSONText.string("a\"b\\c\n\t\r\u{1}é") == #""a\"b\\c\n\t\r\u0001é""#)
        #expect(JSONText.value(.number(.infinity)) == "null")
        #expect(JSONText.value(.numbers([1, 2.5])) == "[1, 2.5]")
    }

    @Test("Quantities are short", arguments: [(135_000_000, "135M"), (1_170_340_608, "1.2B"), (999_600_000, "1000M")])
    func sizeLabels(count: Int, expected: String) { #expect(ModelDescription.sizeLabel(count) == expected) }
}

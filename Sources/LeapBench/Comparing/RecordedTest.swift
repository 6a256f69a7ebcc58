import Foundation
import LeapToolSupport

/// The repetitions of one test, as recorded in a file.
struct RecordedTest: Hashable {
    /// A property that distinguishes the test from others of its file.
    enum Property: CaseIterable {
        case model, threads, kernels, peer, batch, chunk, keyType, valueType
    }

    /// `pp512`, `tg128 @ d512` …
    let name: String
    let properties: [Property: String]
    /// Tokens per second of every repetition.
    var rates: [Double]
}

extension RecordedTest {
    /// Reads leap-bench's `json` or `jsonl`, llama-bench's, or lines with the minimum that is needed:
    ///
    ///     {"test": "pp512", "ts": [101.5, 102.1]}
    ///
    /// with `model`, `threads` and `peer` where they matter. Lines that do not begin with `{` are skipped, so that the
    /// file may contain a program's other output.
    static func read(_ path: String) throws -> [RecordedTest] {
        try parse(InputFile.bytes(path), path: path)
    }

    /// - Parameter path: The file's name, for errors.
    static func parse(_ data: Data, path: String) throws -> [RecordedTest] {
        let tests = shorteningModels(of: try objects(data, path: path).map { try RecordedTest($0, path: path) })
        guard !tests.isEmpty else {
            throw CommandError(
                "\(path) has no results. Expected the output of leap-bench -o json or -o jsonl, or lines like "
                    + #"{"test": "pp512", "ts": [101.5, 102.1]}."#)
        }
        return tests
    }

    /// Names models by the last components of their paths: as few as tell those of the file apart.
    private static func shorteningModels(of tests: [RecordedTest]) -> [RecordedTest] {
        let paths = Set(tests.compactMap { $0.properties[.model] })
        func short(_ path: String, _ count: Int) -> String {
            path.split(separator: "/").suffix(count).joined(separator: "/")
        }
        let longest = paths.map { $0.split(separator: "/").count }.max() ?? 1
        let counts = 1...max(1, longest)
        guard let count = counts.first(where: { count in Set(paths.map { short($0, count) }).count == paths.count })
        else { return tests }
        return tests.map { test in
            var properties = test.properties
            properties[.model] = properties[.model].map { short($0, count) }
            return RecordedTest(name: test.name, properties: properties, rates: test.rates)
        }
    }

    private static func objects(_ data: Data, path: String) throws -> [[String: Any]] {
        if let array = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]] { return array }
        let lines = String(decoding: data, as: UTF8.self).split(omittingEmptySubsequences: false) {
            $0 == "\n" || $0 == "\r\n"
        }
        return try lines.enumerated().compactMap { index, line in
            guard line.drop(while: \.isWhitespace).first == "{" else { return nil }
            guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
                throw CommandError("\(path), line \(index + 1): this is not a JSON object: \(line.prefix(60))")
            }
            return object
        }
    }

    private init(_ object: [String: Any], path: String) throws {
        guard let name = object["test"] as? String ?? Self.name(object) else {
            throw CommandError(
                "\(path): a result has neither 'test' nor 'n_prompt' and 'n_gen'. Found: \(Self.keys(object))")
        }
        guard let rates = (object["samples_ts"] ?? object["ts"]) as? [Double], !rates.isEmpty,
            rates.allSatisfy({ $0 > 0 && $0.isFinite })
        else {
            throw CommandError(
                "\(path): test '\(name)' lacks 'samples_ts' or 'ts', tokens per second of each repetition, all above 0."
            )
        }
        let model = (object["model_filename"] ?? object["model"]) as? String
        let threads = (object["n_threads"] ?? object["threads"]) as? Int
        var properties: [Property: String] = [:]
        properties[.model] = model
        properties[.threads] = threads.map { "\($0) threads" }
        properties[.kernels] = object["kernels"] as? String
        properties[.batch] = (object["n_batch"] as? Int).map { "batches of \($0)" }
        properties[.chunk] = (object["n_ubatch"] as? Int).map { "chunks of \($0)" }
        properties[.keyType] = (object["type_k"] as? String).map { "keys in \($0)" }
        properties[.valueType] = (object["type_v"] as? String).map { "values in \($0)" }
        properties[.peer] = (object["peer"] as? String).map { peer in
            // The peer's own switch for repacking its weights.
            peer + (object["repack"] as? Bool == false ? ", no repacking" : "")
        }
        self.init(name: name, properties: properties, rates: rates)
    }

    /// The name for a result of llama-bench, which does not record one.
    private static func name(_ object: [String: Any]) -> String? {
        guard let prompt = object["n_prompt"] as? Int, let generation = object["n_gen"] as? Int else { return nil }
        let depth = object["n_depth"] as? Int ?? 0
        return TestCase(promptTokens: prompt, generatedTokens: generation, depth: depth).name
    }

    private static func keys(_ object: [String: Any]) -> String {
        object.keys.sorted().prefix(8).joined(separator: ", ")
    }
}

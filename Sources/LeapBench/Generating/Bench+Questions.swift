import Foundation
import LeapGGUF
import LeapModels
import LeapOps
import LeapTokenizer
import LeapToolSupport

/// A question about whole generations instead of single passes.
enum GenerationQuestion {
    /// The cost of the JSON Schema in a file, or of those in a folder.
    case schema(String)
    /// The gain of speculative decoding in the continuations of some files' texts.
    case speculation([String])
    /// The time to the first token if the beginning of a prompt is cached.
    case cache
    /// How soon the prefill of a prompt ends after cancellation.
    case cancellation
    /// The time to encode pictures or sounds.
    case encoding([EncodedInput])
    /// The speed of speech over the given number of seconds.
    case speech(Double)
}

extension Bench {
    /// Answers a question for every model, and writes a table.
    func answer(_ question: GenerationQuestion, _ paths: [String], _ write: (String) -> Void) throws {
        switch question {
        case .schema(let path) where SchemaCorpus.isFolder(path):
            write(try maskTable(SchemaCorpus(folder: path), paths).text)
        case .schema(let path):
            write(try schemaTable(InputFile.text(path), paths).text)
        case .speculation(let files): write(try speculationTable(files, paths).text)
        case .cache: write(try cacheTable(paths).text)
        case .cancellation: write(try cancellationTable(paths).text)
        case .encoding(let inputs): write(try encodingTable(inputs, paths).text)
        case .speech(let seconds): write(try speechTable(seconds, paths).text)
        }
    }

    private func schemaTable(_ schema: String, _ paths: [String]) throws -> SchemaTable {
        var table = SchemaTable()
        try forEachModel(paths) { model, compute in
            for tokens in options.grid.generations where tokens > 0 {
                let measurement = try SchemaMeasurement(
                    model, schema: schema, compute, prompt: 32, tokens: tokens, repetitions: options.repetitions + 1)
                table.add(model.fileName, threads: compute.threads, measurement)
            }
        }
        return table
    }

    /// No model computes here: masks depend only on its vocabulary.
    private func maskTable(_ corpus: SchemaCorpus, _ paths: [String]) throws -> MaskTable {
        var table = MaskTable()
        for path in paths {
            let tokenizer = try Tokenizer(metadata: try GGUFFile(path: path).metadata)
            table.add(URL(filePath: path).lastPathComponent, MaskMeasurement(corpus, tokenizer))
        }
        return table
    }

    private func speculationTable(_ files: [String], _ paths: [String]) throws -> SpeculationTable {
        var table = SpeculationTable()
        let texts = try files.map { (URL(filePath: $0).lastPathComponent, try InputFile.text($0)) }
        let draft = try options.draftModel.map { try LanguageModel.load(GGUFFile(path: $0)) }
        try forEachModel(paths) { model, compute in
            for (name, text) in texts {
                for tokens in options.grid.generations where tokens > 0 {
                    let measurement = try SpeculationMeasurement(
                        model, draft: draft, text: text, compute, tokens: tokens, repetitions: options.repetitions)
                    table.add(model.fileName, text: name, measurement)
                }
            }
        }
        return table
    }

    private func cacheTable(_ paths: [String]) throws -> CacheTable {
        var table = CacheTable()
        try forEachModel(paths) { model, compute in
            for (known, new) in options.cachedPrompts {
                let measurement = try CacheMeasurement(
                    model, compute, known: known, new: new, repetitions: options.repetitions)
                table.add(model.fileName, threads: compute.threads, measurement)
            }
        }
        return table
    }

    private func cancellationTable(_ paths: [String]) throws -> CancellationTable {
        var table = CancellationTable()
        try forEachModel(paths) { model, compute in
            for prompt in options.grid.prompts where prompt > 0 {
                let measurement = try CancellationMeasurement(
                    model, compute, prompt: prompt, count: 20 * options.repetitions)
                table.add(model.fileName, threads: compute.threads, measurement)
            }
        }
        return table
    }

    private func encodingTable(_ inputs: [EncodedInput], _ paths: [String]) throws -> EncodingTable {
        var table = EncodingTable()
        for path in paths {
            let file = try GGUFFile(path: path, useMmap: options.foreign.isMapped)
            for threads in options.grid.threads {
                let compute = Compute(kernels: self.table, threads: threads)
                for input in inputs {
                    let measurement = try EncodingMeasurement(
                        input.encoding(file, compute), input, repetitions: options.repetitions,
                        warmsUp: !options.skipsWarmUp)
                    table.add(URL(filePath: path).lastPathComponent, threads: compute.threads, measurement)
                }
            }
        }
        return table
    }

    private func speechTable(_ seconds: Double, _ paths: [String]) throws -> SpeechTable {
        var table = SpeechTable()
        let voice = try Voice(
            vocoder: try GGUFFile(path: options.vocoder ?? ""),
            tokenizer: try options.audioTokenizer.map { try GGUFFile(path: $0) })
        try forEachModel(paths) { model, compute in
            let measurement = try SpeechMeasurement(
                model, voice, compute, seconds: seconds, repetitions: options.repetitions,
                warmsUp: !options.skipsWarmUp)
            table.add(model.fileName, threads: compute.threads, measurement)
        }
        return table
    }

    private func forEachModel(
        _ paths: [String], _ body: (LanguageModel, Compute) throws -> Void
    ) throws {
        let kernels = table
        for path in paths {
            let model = try load(path, options.keyValueTypes[0])
            for threads in options.grid.threads { try body(model, Compute(kernels: kernels, threads: threads)) }
        }
    }
}

extension LanguageModel {
    /// The name of the model's file.
    fileprivate var fileName: String { URL(filePath: file.path).lastPathComponent }
}

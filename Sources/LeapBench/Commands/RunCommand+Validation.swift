import ArgumentParser
import LeapToolSupport

extension RunCommand {
    func validate() throws {
        try checkCounts()
        try checkFiles()
        try checkQuestions()
        try checkSpeech()
    }

    /// Options of which only one can be measured at a time, in tables of their own.
    private var questions: [String] {
        [
            ("--schema", schema != nil), ("--speculation", !speculation.isEmpty), ("--cached", cached),
            ("--cancellation", cancellation), ("--image", !image.isEmpty), ("--audio", !audio.isEmpty),
            ("--speech", speech != nil),
        ].filter(\.1).map(\.0)
    }

    private func checkCounts() throws {
        guard 1...1_000_000 ~= repetitions else {
            throw ValidationError("--repetitions must be from 1 to 1000000, not \(repetitions).")
        }
        guard (0...86_400).contains(delay) else {
            throw ValidationError("--delay must be from 0 to 86400 seconds, not \(delay).")
        }
        let positive = [
            ("--ubatch-size", grid.chunks), ("--batch-size", grid.batches), ("--parallel", grid.parallel),
        ]
        for (name, values) in positive where values.contains(0) {
            throw ValidationError("\(name) must be at least 1, not 0.")
        }
        // Encoding takes its sizes from its own options, and the machine alone is measured without a model.
        let measuresGrid = image.isEmpty && audio.isEmpty && !measuresMachineAlone && compare.isEmpty
        guard !grid.points.isEmpty || !measuresGrid else {
            throw ValidationError("Nothing to measure: -p and -n are both 0.")
        }
        guard !throughAPI || (grid.prompts.contains { $0 > 0 } && grid.generations.contains { $0 > 0 }) else {
            throw ValidationError("--through-api needs a prompt and a generation: -p and -n must not be 0.")
        }
    }

    private func checkFiles() throws {
        guard models.allSatisfy({ !$0.isEmpty }) else { throw ValidationError("--model is empty: give a model.") }
        guard repositoryFiles.count <= repositories.count else {
            throw ValidationError("--hf-file needs -hf: give the repository of the file too.")
        }
        guard compare.isEmpty || compare.count == 2 else {
            throw ValidationError("--compare takes two files, not \(compare.count).")
        }
        guard compare.isEmpty || (models.isEmpty && repositories.isEmpty && questions.isEmpty) else {
            throw ValidationError(
                "--compare reads two files instead of measuring: leave out -m, -hf and what to measure.")
        }
        guard compare.isEmpty || (report.format == .markdown && report.errorFormat == .nothing) else {
            throw ValidationError("--compare prints its own table: leave out -o and -oe.")
        }
        guard draftModel == nil || !speculation.isEmpty else {
            throw ValidationError("--draft-model needs --speculation.")
        }
    }

    private func checkQuestions() throws {
        let questions = questions
        guard questions.count <= 1, questions.isEmpty || !(throughAPI || profile || measuresRoofline) else {
            throw ValidationError(
                "\(questions.joined(separator: " and ")): only one of these can be measured at a time, and not with "
                    + "--through-api, --profile or --roofline."
            )
        }
        guard questions.isEmpty || (report.format == .markdown && report.errorFormat == .nothing) else {
            throw ValidationError("\(questions[0]) prints its own table: leave out -o and -oe.")
        }
        let hasOnlyLengths =
            grid.depths == [0] && combinations.isEmpty && grid.parallel == [1] && batches.isEmpty && chunks.isEmpty
        guard !throughAPI || (!profile && delay == 0 && hasOnlyLengths) else {
            throw ValidationError(
                "--through-api measures only -p and -n: leave out -d, -pg, -b, -ub, --parallel, --delay and --profile.")
        }
        guard questions.isEmpty || keyValueTypes.count == 1 else {
            throw ValidationError("\(questions[0]) measures one KV cache type: give -ctk and -ctv only one value each.")
        }
        for name in ["--cached", "--cancellation"]
        where questions == [name] && !grid.prompts.contains(where: { $0 > 0 }) {
            throw ValidationError("\(name) measures prompts: -p must not be 0.")
        }
        for name in ["--schema", "--speculation"]
        where questions == [name] && !grid.generations.contains(where: { $0 > 0 }) {
            throw ValidationError("\(name) measures decoding: -n must not be 0.")
        }
    }

    private func checkSpeech() throws {
        guard audio.allSatisfy({ (0.1...300).contains($0) }) else {
            throw ValidationError("--audio must be from 0.1 to 300 seconds.")
        }
        guard speech.map({ (0.1...3600).contains($0) }) ?? true else {
            throw ValidationError("--speech must be from 0.1 to 3600 seconds.")
        }
        guard (speech != nil) == (vocoder != nil), audioTokenizer == nil || speech != nil else {
            throw ValidationError("--speech and --vocoder need each other, and --audio-tokenizer needs both.")
        }
    }
}

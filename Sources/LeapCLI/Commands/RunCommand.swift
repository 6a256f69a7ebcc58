import ArgumentParser
import Foundation
import LeapEngine
import LeapGeneration
import LeapHub
import LeapJSON
import LeapToolSupport

/// `leap run`: a single answer, or a conversation on a terminal.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Answers a prompt, or holds a conversation.",
        discussion: """
            With a prompt, prints one answer. Without one, holds a conversation if standard input is a terminal, and \
            otherwise reads the prompt from standard input. The answer goes to standard output, everything else to \
            standard error. Ctrl-C stops the answer; a second one quits.

            Text piped or redirected into the tool, or from the file of -f, is appended to the prompt, after an empty \
            line: cat file | leap run MODEL "Summarise this". A terminal and /dev/null are not read.

            With --tools the model may call functions. Calls are printed one per line, in Python's syntax; errors in \
            them go to standard error. Results come from --tool-results, or from you in a conversation.

            Other flags of llama.cpp's tools are accepted if they do not change the answer, with a note if they have \
            no effect, and rejected by name if they would. 'leap run --help-hidden' lists those that have an effect of \
            their own; docs/flags.md, in the source, lists them all.
            """)

    @Argument(
        help: """
            A GGUF file, or a model name, which is downloaded if necessary; see 'leap help pull'. Without a model, the \
            built-in leap-tiny is used; the prompt is then given with -p.
            """, completion: .file())
    var model: String?

    @Argument(help: "The prompt; '-' reads standard input.")
    var text: String?

    @OptionGroup var prompt: PromptFlags

    @Option(
        name: .customLong("image"),
        help: ArgumentHelp(
            "A JPEG, PNG or WebP picture to put before the prompt; may be repeated.",
            valueName: "file"), completion: .file())
    var images: [String] = []

    @Option(
        name: .customLong("audio"),
        help: ArgumentHelp(
            "A mono WAV file to put before the prompt; may be repeated. Without a prompt, it is transcribed.",
            valueName: "file"), completion: .file())
    var sounds: [String] = []

    @Flag(
        name: [
            .customShort("i"), .customLong("interactive"), .customLong("cnv", withSingleDash: true),
            .customLong("conversation"),
            .customLong("if", withSingleDash: true), .customLong("interactive-first"),
        ],
        help: ArgumentHelp(
            "Hold a conversation, even after answering a prompt or if standard input is not a terminal."))
    private var asksForConversation = false

    @Flag(
        name: [.customLong("st", withSingleDash: true), .customLong("single-turn")],
        help: "Answer one prompt and exit, even on a terminal; -cnv -st is the same.")
    var singleTurn = false

    /// Whether to hold a conversation whatever else is given. As in llama.cpp, a single turn makes it a short one.
    private var interactive: Bool { asksForConversation && !singleTurn }

    @Flag(
        name: [.customLong("raw"), .customLong("no-cnv", withSingleDash: true), .customLong("no-conversation")],
        help: "Continue the prompt as it is, without the chat template.")
    var raw = false

    @Flag(
        help: """
            Answer with text and speech, and play the speech with aplay or afplay; for models with audio output. /play \
            in a conversation plays the last answer again.
            """)
    var play = false

    @OptionGroup var voice: VoiceFlags
    @OptionGroup var template: TemplateFlags
    @OptionGroup var templateVariables: TemplateVariableFlags

    @Flag(help: "Print one JSON object: text, reasoning, functionCalls, finishReason, stats, tokens, logprobs.")
    var json = false

    @Flag(name: [.customShort("v"), .long], help: "Print statistics after the answer.")
    var verbose = false

    @OptionGroup(title: "Model") var source: ModelFlags
    @OptionGroup(title: "Generation") var common: CommonGenerationFlags
    @OptionGroup(title: "Generation") var generation: GenerationFlags
    @OptionGroup(title: "Sampling") var filters: FilterFlags
    @OptionGroup(title: "Sampling") var sampling: SamplingFlags
    @OptionGroup(title: "Sampling") var mirostat: MirostatFlags
    @OptionGroup(title: "Sampling") var samplers: SamplerListFlags
    @OptionGroup(title: "Constraints") var constraint: ConstraintFlags
    @OptionGroup(title: "Reasoning") var thinking: ThinkingFlags
    @OptionGroup(title: "Tools") var tools: ToolFlags
    @OptionGroup(title: "Engine") var engine: EngineFlags
    @OptionGroup(title: "Engine") var cacheTypes: CacheTypeFlags
    @OptionGroup(title: "Engine") var vision: VisionFlags
    @OptionGroup(title: "Engine") var adapters: AdapterFlags
    @OptionGroup(title: "Engine") var compute: ComputeFlags
    @OptionGroup(title: "Download") var hub: HubFlags
    @OptionGroup var foreign: ForeignFlags

    func validate() throws {
        try prompt.check(argument: source.isGiven ? model : text)
        try checkInput(argument: source.isGiven ? model : text)
        if source.isGiven, let text {
            throw ValidationError("Unexpected argument '\(text)': the model is already given by a flag.")
        }
        if interactive && json { throw ValidationError("--json prints a single answer: omit --interactive.") }
        if sampling.logprobs != nil && !json {
            throw ValidationError("--logprobs requires --json.")
        }
        if raw && prompt.hasSystemPrompt {
            throw ValidationError("--raw uses no system prompt: include it in the prompt.")
        }
        if raw && tools.toolsFile != nil { throw ValidationError("--raw cannot be combined with --tools.") }
        if raw, let flag = thinking.given.first { throw ValidationError("--raw cannot be combined with \(flag).") }
        if raw && engine.trustSpecial {
            throw ValidationError("--raw always parses control tokens in the prompt: omit --trust-special.")
        }
        if raw && !images.isEmpty { throw ValidationError("--raw cannot be combined with --image.") }
        if raw && !sounds.isEmpty { throw ValidationError("--raw cannot be combined with --audio.") }
        if raw && play { throw ValidationError("--raw cannot be combined with --play.") }
        if !play && voice.isGiven {
            throw ValidationError("--vocoder and --audio-tokenizer require --play, or 'leap speak'.")
        }
        if generation.noSpeculation && engine.draftModel != nil {
            throw ValidationError("--no-speculation turns off speculative decoding: omit --draft-model.")
        }
        if raw && interactive { throw ValidationError(Self.rawIsNoConversation) }
    }

    /// The error for `--raw` with options that need a conversation.
    private static let rawIsNoConversation = "--raw continues a single prompt and cannot hold a conversation."

    func run() async throws {
        try foreign.heed()
        let name = try source.isGiven ? source.name() : model.map { try ModelName($0) }
        let question = try readPrompt()
        let media =
            try images.map { Message.Part.picture(try MediaFile.picture($0)) }
            + sounds.map { Message.Part.sound(try MediaFile.sound($0)) }
        let session = try await openSession(name, isConversation: interactive || question == nil)
        session.add(media)
        try noteIgnored(by: session.probe)
        let results = try tools.results()
        for name in results?.keys.sorted() ?? [] where !session.hasFunction(name) {
            Console.error("note: the result of '\(name)' has no effect: --tools has no function of this name")
        }
        if let question {
            let reason = try await answer(question, session, results)
            if !interactive { session.waitForSound() }
            if reason == .cancelled && !interactive {
                await session.close()
                throw ExitCode(Interruption.exitCode)
            }
            if !json && !interactive { try await refuseCut(reason, session) }
        }
        if question == nil || interactive {
            await Conversationalist(session: session, results: results, verbose: verbose).run()
        }
        await session.close()
    }

    /// Notes flags that the chat template ignores.
    private func noteIgnored(by probe: TemplateProbe) {
        for note in [tools.note(probe)].compactMap(\.self) + thinking.notes(probe) { Console.error("note: \(note)") }
    }

    /// Prints the answer to a prompt.
    private func answer(
        _ question: String, _ session: ChatSession, _ results: [String: JSONValue]?
    ) async throws -> FinishReason {
        let printer = AnswerPrinter(isSilent: json)
        let reply =
            raw
            ? try await session.complete(question, printer: printer)
            : try await session.answer(question, results: results.map(ResultSource.table), printer: printer)
        printer.finish()
        if json {
            Console.line(AnswerReport.json(reply, logprobs: try session.tokenReports(of: reply.result)).text())
        }
        if verbose { Console.error(AnswerReport.statistics(reply.result.statistics)) }
        return reply.result.finishReason
    }

    /// A text that was cut off inside its constraint does not satisfy it; `--json` reports this by its finishReason.
    private func refuseCut(_ reason: FinishReason, _ session: ChatSession) async throws {
        let isCut = reason == .maxTokensInConstraint || (reason == .contextFull && constraint.count > 0)
        guard isCut else { return }
        await session.close()
        throw CommandError(
            reason == .contextFull
                ? "the context was full before the answer satisfied its constraint: use a larger -c, or ask for less"
                : "the answer was cut off before it satisfied its constraint: use a larger -n, or ask for less"
        )
    }

    /// The request for every answer, without messages.
    private func request(isConversation: Bool) throws -> ChatRequest {
        var request = ChatRequest([], templateVariables: try templateVariables.values(), AnswerOptions())
        common.apply(to: &request.options)
        generation.apply(to: &request.options, isConversation: isConversation)
        filters.apply(to: &request.options.sampling)
        sampling.apply(to: &request.options)
        request.options.sampling.mirostat = mirostat.setting
        samplers.apply(to: &request.options.sampling)
        request.options.constraint = try constraint.source()
        thinking.apply(to: &request)
        samplerNotes.forEach { Console.error("note: \($0)") }
        return request
    }

    /// Which of the given flags have no effect because of another one that chooses the samplers.
    private var samplerNotes: [String] {
        let given = common.givenSamplers + filters.givenSamplers
        guard mirostat.setting != nil else { return samplers.notes(on: given) }
        return given.filter(\.step.isFilter).map { "\($0.flag) has no effect: --mirostat replaces all filters" }
            + samplers.notes(on: given.filter { !$0.step.isFilter })
    }

    /// Loads the model.
    private func openSession(_ name: ModelName?, isConversation: Bool) async throws -> ChatSession {
        let template = try template.source()
        let trained = transcribes ? Self.transcribing : play ? SpeakCommand.answering : nil
        let system = try prompt.systemText() ?? trained
        var request = try request(isConversation: isConversation)
        if play { request.options.speech = transcribes ? .automatic : .wanted }
        let player = try play ? SoundPlayer.find() : nil
        func open(
            _ path: String, template: String?, recommended: SamplingOverrides = SamplingOverrides()
        ) throws -> ChatSession {
            var options = engine.options(
                path: path, template: template, rendersMessages: !raw, cacheTypes, vision, adapters)
            if play { voice.apply(to: &options) }
            return try ChatSession(
                options, compute: compute.makeCompute(), settings: request, recommended: recommended,
                tools: tools, systemPrompt: system, player: player)
        }
        guard let name, !DefaultModel.isNamed(name.description) else {
            if name == nil { Console.error(DefaultModel.notice) }
            return try DefaultModel.withFile { try open($0, template: template) }
        }
        switch try await hub.bring(name) {
        case .file(let path): return try open(path, template: template)
        case .stored(let model):
            return try open(
                model.modelPath, template: template ?? model.templateInReserve,
                recommended: SamplingOverrides(model.manifest))
        }
    }

    /// The system prompt with which audio models were trained to transcribe.
    private static let transcribing = "Perform ASR."

    /// Whether only sounds were given.
    private var transcribes: Bool {
        !sounds.isEmpty && !interactive && !prompt.isGiven && (source.isGiven ? model : text) == nil
    }

    /// The prompt to answer; `nil` for a conversation.
    private func readPrompt() throws -> String? {
        guard !transcribes else { return "" }
        let argument = source.isGiven ? model : text
        let given = try prompt.text(argument: argument, takesPipe: !interactive && inputReaders.isEmpty)
        guard given != nil || interactive || inputReaders.isEmpty || Console.inputIsTerminal else {
            throw CommandError(
                "standard input is already used for \(inputReaders[0]): give the prompt after the model, or with -p or -f"
            )
        }
        guard let question = try given ?? (interactive ? nil : readInput()) else { return nil }
        let isBlank = raw ? question.isEmpty : question.allSatisfy(\.isWhitespace)
        if isBlank {
            throw CommandError(
                "the prompt is empty: give it after the model, with -p, in a file with -f, or on standard input")
        }
        return question
    }

    /// The options other than the prompt that read standard input.
    private var inputReaders: [String] {
        [
            ("the system prompt", prompt.readsInput), ("the chat template", template.readsInput),
            ("tools or their results", tools.readsInput), ("a schema or grammar", constraint.readsInput),
        ].filter(\.1).map(\.0)
    }

    /// Rejects two readers of standard input, the second of which would find nothing.
    private func checkInput(argument: String?) throws {
        let readers = inputReaders + (prompt.asksInput(argument: argument) ? ["the prompt"] : [])
        guard readers.count < 2 else {
            throw ValidationError(
                "Standard input can be read only once, but is requested for \(readers.joined(separator: " and ")).")
        }
    }

    /// The prompt from standard input if none was given; `nil` if standard input is a terminal, on which a conversation
    /// is possible.
    private func readInput() throws -> String? {
        guard Console.inputIsTerminal, !json else { return try InputFile.prompt("-") }
        guard singleTurn else {
            if raw {
                throw ValidationError("\(Self.rawIsNoConversation) Give the prompt after the model, or with -p or -f.")
            }
            return nil
        }
        Console.status("> ")
        return readLine() ?? ""
    }
}

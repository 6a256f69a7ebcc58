import ArgumentParser
import Foundation
import LeapChat
import LeapGeneration
import LeapHub
import LeapSDK

/// `leap run`: one answer, or a conversation on a terminal.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Answers a prompt, or holds a conversation.",
        discussion: """
            With a prompt, prints one answer. Without one, holds a conversation on a terminal, and elsewhere reads the \
            prompt from standard input. The answer goes to standard output, everything else to standard error. Ctrl-C \
            stops the answer; once more leaves.

            With --tools the model may call functions. Calls are printed one per line, in Python's syntax; what is wrong \
            with one goes to standard error. Results come from --tool-results, or from you in a conversation.
            """)

    @Argument(
        help: """
            A GGUF file, or a model's name, which is downloaded first; see 'leap help pull'. Without one, leap-tiny, which \
            is part of the tool: give the prompt by -p then.
            """)
    var model: String?

    @Argument(help: "The prompt; '-' reads standard input.")
    var text: String?

    @Option(name: [.customShort("p"), .long], parsing: .unconditional, help: "The prompt.")
    var prompt: String?

    @Option(name: [.customShort("f"), .long], help: "A file with the prompt.")
    var file: String?

    @Option(
        name: [.customLong("sys", withSingleDash: true), .long], parsing: .unconditional, help: "The system prompt.")
    var systemPrompt: String?

    @Flag(name: [.customShort("i"), .long], help: "Hold a conversation, also where standard input is no terminal.")
    var interactive = false

    @Flag(help: "Continue the prompt as it is, without the chat template.")
    var raw = false

    @Option(help: "A file with a chat template that takes the place of the model's.")
    var chatTemplateFile: String?

    @Flag(help: "Print one JSON object: text, reasoning, functionCalls, finishReason, stats, tokens, logprobs.")
    var json = false

    @Flag(name: [.customShort("v"), .long], help: "Print statistics after the answer.")
    var verbose = false

    @OptionGroup(title: "Generation") var generation: GenerationFlags
    @OptionGroup(title: "Tools") var tools: ToolFlags
    @OptionGroup(title: "Engine") var engine: EngineFlags
    @OptionGroup(title: "Download") var hub: HubFlags

    func validate() throws {
        let prompts = [text, prompt, file].compactMap { $0 }
        if prompts.count > 1 { throw ValidationError("Give the prompt once: as an argument, by -p, or by -f.") }
        if interactive && !prompts.isEmpty { throw ValidationError("--interactive asks for prompts itself.") }
        if interactive && json { throw ValidationError("--json prints one answer; --interactive gives many.") }
        if generation.sampling.logprobs != nil && !json {
            throw ValidationError("--logprobs are part of what --json prints.")
        }
        if raw && systemPrompt != nil { throw ValidationError("--raw has no system prompt: put it into the prompt.") }
        if raw && tools.toolsFile != nil { throw ValidationError("--raw continues a text, without --tools.") }
        if raw && interactive { throw ValidationError("--raw continues one prompt; --interactive is a conversation.") }
    }

    func run() async throws {
        let question = try readPrompt()
        let session = try await openSession(isConversation: question == nil)
        let results = try tools.results()
        guard let question else {
            try await Conversationalist(session: session, results: results, verbose: verbose).run()
            return await session.close()
        }
        let printer = AnswerPrinter(isSilent: json)
        let reply =
            raw
            ? try await session.complete(question, printer: printer)
            : try await session.answer(question, results: results.map(ResultSource.table), printer: printer)
        printer.finish()
        if json {
            Console.line(AnswerReport.json(reply, logprobs: try session.logprobs(of: reply.result)).text())
        }
        if verbose { Console.error(AnswerReport.statistics(reply.result.statistics)) }
        await session.close()
        if reply.result.finishReason == .cancelled { throw ExitCode(130) }
    }

    /// Loads the model.
    private func openSession(isConversation: Bool) async throws -> ChatSession {
        let template = try chatTemplateFile.map(InputFile.text)
        func open(
            _ path: String, template: String?, parameters: GenerationTimeParameters? = nil
        ) throws -> ChatSession {
            try ChatSession(
                model: path, systemPrompt: systemPrompt, isConversation: isConversation, flags: generation,
                tools: tools, engine: engine, template: template, parameters: parameters)
        }
        guard let model else {
            Console.error(DefaultModel.notice)
            return try DefaultModel.withFile { try open($0, template: template) }
        }
        switch try ModelName(model) {
        case .file(let path): return try open(path, template: template)
        case .reference(let reference):
            let (options, parameters) = try await hub.pull(reference).engineOptions(nil, nil)
            return try open(
                options.bundlePath, template: template ?? options.chatTemplate, parameters: parameters)
        }
    }

    /// The one prompt to answer; `nil` where a conversation is wanted.
    private func readPrompt() throws -> String? {
        if let file { return try InputFile.text(file) }
        if let given = prompt ?? text, given != "-" { return given }
        if interactive || (text == nil && prompt == nil && Console.inputIsTerminal && !json) { return nil }
        let input = String(decoding: try Console.readInput(), as: UTF8.self)
        // The newline that ends a line of input belongs to the shell, not to the prompt.
        return input.hasSuffix("\n") ? String(input.dropLast()) : input
    }
}

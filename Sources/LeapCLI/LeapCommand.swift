import ArgumentParser
import LeapToolSupport

/// The `leap` tool: the libraries' functions as shell commands.
@main
struct LeapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leap",
        abstract: "Runs GGUF language models: LFM2, Llama, Qwen 3 and related architectures.",
        version: Version.requested(of: "leap"),
        subcommands: [
            RunCommand.self, PullCommand.self, ListCommand.self, ShowCommand.self, RemoveCommand.self,
            InspectCommand.self, TokenizeCommand.self, DetokenizeCommand.self, RenderCommand.self,
            LogitsCommand.self, EncodeCommand.self, EmbedCommand.self, RerankCommand.self, PerplexityCommand.self,
            ConstrainCommand.self, ParseCommand.self, ConvertCommand.self, ImatrixCommand.self, QuantizeCommand.self,
            SplitCommand.self, MergeCommand.self, SetCommand.self, SpeakCommand.self, ListenCommand.self,
            VocodeCommand.self, DepthformCommand.self,
        ] + serving)

    private static var serving: [any ParsableCommand.Type] {
        #if Server
        [ServeCommand.self]
        #else
        []
        #endif
    }

    /// The prefix of every error, including the parser's.
    static var _errorPrefix: String { Failure.label }

    /// Text goes to standard output, everything else to standard error; 0 on success, 1 on failure, 64 for usage.
    ///
    /// Runs on the main actor, which needs no thread: before the first thread is started, the tool must know that
    /// threads are available.
    @MainActor static func main() async {
        Warnings.takeFromLibraries()
        ToolResources.check(for: Self.self)
        do {
            let command = try parseAsRoot(ProcessArguments.forParser())
            do { try await run(command) } catch { Failure(error, in: Self.self, of: type(of: command)).exit() }
        } catch {
            Failure(error, in: Self.self).exit()
        }
    }

    private static func run(_ command: any ParsableCommand) async throws {
        var command = command
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
    }
}

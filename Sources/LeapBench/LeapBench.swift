import ArgumentParser
import LeapToolSupport

/// The `leap-bench` tool: measures how fast models run on this machine.
@main
struct LeapBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leap-bench",
        abstract: "Measures how fast GGUF language models run.",
        usage: """
            leap-bench [-m <model>] [-p 512] [-n 128] [-d 0] [-t <n>] [-o md|json|sql|…]
            leap-bench [-m <model>] [--profile] [--roofline] [--plot <svg>] …
            leap-bench --compare <file> <file>
            leap-bench synth <shape> <type> -o <file>
            """,
        discussion: "'leap-bench help run' explains all flags. Without a model, it measures a synthetic one.",
        version: Version.requested(of: "leap-bench"), subcommands: [RunCommand.self, SynthCommand.self],
        defaultSubcommand: RunCommand.self)

    /// The prefix of every error, including the parser's.
    static var _errorPrefix: String { Failure.label }

    /// 0 on success, 1 on failure, 64 for usage.
    static func main() {
        ToolResources.check(for: Self.self)
        do {
            var command = try parseAsRoot(ForeignSpelling.canonical(ProcessArguments.forParser()))
            do { try command.run() } catch { Failure(error, in: Self.self, of: type(of: command)).exit() }
        } catch {
            Failure(error, in: Self.self).exit()
        }
    }
}

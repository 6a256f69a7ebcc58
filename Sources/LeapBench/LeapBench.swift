import ArgumentParser

/// The `leap-bench` tool: how fast models run on this machine.
@main
struct LeapBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leap-bench",
        abstract: "Measures how fast GGUF language models run.",
        usage: """
            leap-bench [-m <file>] [-p 512] [-n 128] [-d 0] [-t <n>] [-o md|json|…]
            leap-bench [-m <file>] [--profile] [--roofline] [--plot <svg>] …
            leap-bench --compare <file> <file>
            leap-bench synth <shape> <type> -o <file>
            """,
        discussion: "'leap-bench help run' explains all flags. Without a model it measures one of its own.",
        subcommands: [RunCommand.self, SynthCommand.self], defaultSubcommand: RunCommand.self)

    /// 0 on success, 1 on failure, 64 for usage.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            Failure.exit(with: error)
        }
    }
}

#if os(Linux)
import Foundation
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// The chat on a terminal.
@Suite(.serialized) struct TerminalChatTests {
    private static let model = Fixture(name: "lfm2-chat-q8_0").path
    private static let brackets = "\u{1B}[?2004h"
    private static let noBrackets = "\u{1B}[?2004l"

    private func start(_ model: String = model, kind: String = "xterm-256color") throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(.leap, ["run", model, "--temp", "0"], terminal: kind)
        try terminal.wait(for: "> ")
        return terminal
    }

    @Test("A long multi-line paste is one message, and the terminal is restored after the chat")
    func paste() throws {
        let terminal = try start()
        let lines = (1...100).map { "line \($0) " + String(repeating: "x", count: 90) }
        terminal.type("/system \u{1B}[200~" + lines.joined(separator: "\r") + "\u{1B}[201~")
        try terminal.wait(for: "line 100 ")
        #expect(!terminal.isInCookedMode)
        terminal.type("\r")
        try terminal.wait(for: Self.brackets, times: 2)
        terminal.type("/system\r")
        try terminal.wait(for: "\n" + lines.joined(separator: "\n"))
        terminal.type("/quit\r")
        #expect(try terminal.status() == ExitStatus.success)
        #expect(terminal.isInCookedMode)
        #expect(terminal.output.hasSuffix(Self.noBrackets))
    }

    @Test("Text completion without a prompt is a usage error on a terminal", arguments: ["--raw", "-no-cnv"])
    func raw(flag: String) throws {
        let terminal = try PseudoTerminal(.leap, ["run", Self.model, flag], terminal: "xterm-256color")
        try terminal.wait(for: "--raw continues a single prompt and cannot hold a conversation.")
        #expect(try terminal.status() == ExitStatus.usage)
    }

    @Test("A second Ctrl-C quits, unless a key was pressed in between")
    func interrupts() throws {
        let terminal = try start()
        terminal.type("text\u{3}")
        try terminal.wait(for: Self.brackets, times: 2)
        #expect(!terminal.output.contains("Press Ctrl-C again"))
        terminal.type("\u{3}")
        try terminal.wait(for: Self.brackets, times: 3)
        #expect(terminal.output.contains("Press Ctrl-C again to quit"))
        terminal.type("a\u{7F}\u{3}")
        try terminal.wait(for: Self.brackets, times: 4)
        terminal.type("\u{3}")
        #expect(try terminal.status() == ExitStatus.success)
        #expect(terminal.output.components(separatedBy: "Press Ctrl-C again").count == 3)
    }

    @Test("A message is answered, edited, and answered again")
    func editing() throws {
        let terminal = try start()
        terminal.type("What is the capital of Frances\u{1B}[D\u{4}?\r")
        try terminal.wait(for: "\nThe capital of France is Paris.")
        terminal.type("/edit\r")
        try terminal.wait(for: "> What is the capital of France?", times: 2)
        terminal.type("\u{15}What is two plus two?\r")
        try terminal.wait(for: "\nTwo plus two is four.")
        terminal.type("/history\r")
        try terminal.wait(for: "assistant: Two plus two is four.")
        #expect(!terminal.output.contains("user: What is the capital of France?"))
        terminal.type("\u{4}")
        #expect(try terminal.status() == ExitStatus.success)
    }

    @Test("A signal that ends the process restores the terminal", arguments: [SIGTERM, SIGHUP])
    func signals(number: Int32) throws {
        let terminal = try start()
        #expect(!terminal.isInCookedMode)
        #expect(try terminal.end(by: number) == 128 + number)
        #expect(terminal.isInCookedMode)
        #expect(terminal.output.hasSuffix(Self.noBrackets))
    }

    @Test("A single SIGINT at the prompt does not end the chat")
    func lateInterrupt() throws {
        let terminal = try start()
        terminal.signal(SIGINT)
        try terminal.wait(for: "Press Ctrl-C again to quit")
        terminal.type("What is two plus two?\r")
        try terminal.wait(for: "\nTwo plus two is four.")
        #expect(try terminal.end(by: SIGINT) == 130)
        #expect(terminal.isInCookedMode)
    }

    @Test("A suspended chat redraws the typed text when it is continued")
    func continuing() throws {
        let terminal = try start()
        terminal.type("abc")
        try terminal.wait(for: "abc")
        terminal.signal(SIGSTOP)
        terminal.signal(SIGCONT)
        try terminal.wait(for: Self.brackets, times: 2)
        try terminal.wait(for: "> abc", times: 1)
        // The system does not stop the first process of a session, since nothing could continue it.
        terminal.type("\u{1A}")
        try terminal.wait(for: Self.noBrackets)
        try terminal.wait(for: Self.brackets, times: 3)
        terminal.type("\u{15}/quit\r")
        #expect(try terminal.status() == ExitStatus.success)
    }

    @Test("Ctrl-C stops an answer, and the chat continues")
    func stopping() throws {
        let last = 1200  // enough tokens to take seconds
        let model = try ScriptedModel((0...last).map { " \($0)" }.joined())
        let terminal = try start(model.path)
        terminal.type("Go on.\r")
        try terminal.wait(for: " 5 6")
        terminal.type("\u{3}")
        try terminal.wait(for: Self.brackets, times: 2)
        #expect(!terminal.output.contains(" \(last)"))
        #expect(!terminal.output.contains("Press Ctrl-C again"))
        terminal.type("/quit\r")
        #expect(try terminal.status() == ExitStatus.success)
    }

    @Test("The model's control characters are escaped on a terminal and unchanged in a pipe")
    func controlCharacters() async throws {
        let model = try ScriptedModel("<think>\u{1B}[5m</think>one\u{1B}[31m\n\ttwo\u{1B}]0;title\u{7}three")
        let terminal = try start(model.path)
        terminal.type("Go on.\r")
        try terminal.wait(for: "three")
        #expect(terminal.output.contains("^[[5m"))
        #expect(terminal.output.contains("one^[[31m\n\ttwo^[]0;title^Gthree"))
        terminal.type("/history\r")
        try terminal.wait(for: "assistant: one^[[31m\n\ttwo^[]0;title^Gthree")
        #expect(!terminal.output.contains("\u{1B}[31m"))
        terminal.type("/quit\r")
        #expect(try terminal.status() == ExitStatus.success)
        let piped = try await Tool.leap.run(["run", model.path, "Go on.", "--temp", "0"])
        #expect(piped.text == "one\u{1B}[31m\n\ttwo\u{1B}]0;title\u{7}three\n")
    }

    @Test("A dumb terminal gets no escape sequences, and a second Ctrl-C quits")
    func dumb() throws {
        let terminal = try start(kind: "dumb")
        terminal.type("What is the capital of France?\n")
        try terminal.wait(for: "Paris.")
        try terminal.wait(for: "> ", times: 2)
        terminal.type("\u{3}")
        try terminal.wait(for: "Press Ctrl-C again to quit")
        try terminal.wait(for: "> ", times: 3)
        terminal.type("\u{3}")
        #expect(try terminal.status() == 130)
        #expect(!terminal.output.contains("\u{1B}"))
    }

    @Test("On a dumb terminal, the prompt of the current line is repeated after Ctrl-C")
    func dumbContinuation() throws {
        let terminal = try start(kind: "dumb")
        terminal.type("\"\"\"\n")
        try terminal.wait(for: "… ")
        terminal.type("\u{3}")
        try terminal.wait(for: "/quit.\n… ")
        terminal.type("What is the capital of France?\"\"\"\n")
        try terminal.wait(for: "Paris.")
        #expect(try terminal.end(by: SIGINT) == 130)
    }

    @Test("Progress in a long prompt fits a narrow terminal, and Ctrl-C removes it")
    func promptProgress() throws {
        let model = try ScriptedModel("So be it.", contextLength: 65536)
        let folder = try TemporaryFolder()
        // Every letter is a token: enough to take a second on the fastest machine.
        let system = try folder.write("system", String(repeating: "x", count: 60_000))
        let terminal = try PseudoTerminal(
            .leap, ["run", model.path, "--temp", "0", "-c", "65536", "-sysf", system], columns: 40)
        try terminal.wait(for: "> ")
        terminal.type("Go on.\r")
        try terminal.wait(for: "processing the prompt: ")
        terminal.type("\u{3}")
        try terminal.wait(for: Self.brackets, times: 2)
        terminal.type("/quit\r")
        #expect(try terminal.status() == ExitStatus.success)
        let after = try #require(terminal.output.components(separatedBy: "processing the prompt: ").last)
        // Where `^C` is, which the terminal echoes, does not matter.
        let rest = after.drop { $0 != "%" }.dropFirst().replacing("^C", with: "")
        #expect(rest.hasPrefix("\u{1B}[J"), "\(terminal.output.suffix(400).debugDescription)")
        #expect(!terminal.output.contains(" tokens, "))
        #expect(!terminal.output.contains("So be it."))
    }
}
#endif

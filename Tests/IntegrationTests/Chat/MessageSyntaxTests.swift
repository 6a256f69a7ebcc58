import Foundation
import Testing

@testable import leap

/// How typed lines become messages and commands.
@Suite struct MessageSyntaxTests {
    @Test(
        "A text is recognised as complete or as continued on the next line",
        arguments: [
            ("Hello", LineEnding.complete), ("", .complete), ("a\\", .escaped), ("a\nb\\", .escaped), ("\\", .escaped),
            ("\"\"\"", .open), ("\"\"\"a", .open), ("\"\"\"\na\\", .open), ("\"\"\"\na\n\"\"\"", .complete),
            ("\"\"\"a\"\"\"", .complete), ("\"\"\"a\"\"\"  ", .complete), ("\"\"\"\"\"\"", .complete),
            ("  \"\"\"a", .open), ("say \"\"\"", .complete), ("/system \"\"\"a", .open),
            ("/system \"\"\"a\nb\"\"\"", .complete), ("/usr/bin \"\"\"", .complete), ("\"\"\"a\"\"\"\nb", .complete),
        ])
    func endings(text: String, ending: LineEnding) {
        #expect(MessageSyntax.ending(of: text) == ending)
    }

    @Test(
        "The message of a block is the text between its delimiters",
        arguments: [
            ("Hello", "Hello"), ("\"\"\"\na\n  b \\\n\"\"\"", "a\n  b \\"), ("\"\"\"a\"\"\"", "a"),
            ("\"\"\"\n\na\n\n\"\"\" ", "\na\n"), ("\"\"\"\"\"\"", ""), ("\"\"\"\n/help\n\"\"\"", "/help"),
            ("/system \"\"\"\nRhyme.\nAlways.\n\"\"\"", "/system Rhyme.\nAlways."),
            ("\"\"\"A comment.\"\"\"\nimport os", "\"\"\"A comment.\"\"\"\nimport os"),
            ("a \"\"\"b\"\"\"", "a \"\"\"b\"\"\""),
        ])
    func messages(text: String, message: String) {
        #expect(MessageSyntax.message(text) == message)
    }

    @Test(
        "A slash and a word are a command; paths and comments are messages",
        arguments: [
            ("/help", "help"), ("  /set temp 1", "set"), ("/?", "?"), ("/edit\nHello", "edit"), ("/usr/bin", nil),
            ("// a comment", nil), ("/", nil), ("/1", nil), ("Hello /help", nil), ("", nil),
        ])
    func commands(text: String, name: String?) {
        #expect(ChatCommand.name(in: text).map(String.init) == name)
    }

    @Test("No line of the help is longer than a small terminal")
    func help() {
        for line in ChatCommand.all.map(\.line) + Conversationalist.notes.components(separatedBy: "\n") {
            #expect(line.count <= 80, "\(line)")
        }
    }

    @Test("An unknown command suggests the nearest name")
    func suggestions() {
        #expect(
            ChatCommand.unknown("hlep") == "unknown command '/hlep'. Did you mean '/help'? /help lists all commands.")
        #expect(ChatCommand.unknown("dance") == "unknown command '/dance'. /help lists all commands.")
        #expect(ChatCommand.named("QUIT")?.names == ["quit", "exit", "bye"])
        #expect(ChatCommand.argument(in: "/edit   a\nb ") == "a\nb")
        #expect(ChatCommand.argument(in: " /edit ") == nil)
    }
}

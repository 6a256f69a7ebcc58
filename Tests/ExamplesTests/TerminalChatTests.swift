import Foundation
import LeapSDK
import Testing
import _LeapTestSupport

@Suite("The terminal sample")
struct TerminalChatTests {
    @Test(
        "the clock knows the cities that time zones are named after",
        arguments: [
            ("Rome", "01:00"), ("New York", "19:00"), ("Tokyo", "09:00"),
            ("Nowhere", "The time in Nowhere is not known"),
        ])
    func clock(city: String, time: String) throws {
        let call = try LeapFunctionCall(name: "get_time", arguments: ["city": city])
        #expect(try Clock.result(of: call, at: Date(timeIntervalSince1970: 0)) == time)
    }

    @Test("a call without a city is an error that names the argument")
    func missingCity() throws {
        let call = try LeapFunctionCall(name: "get_time", arguments: [:])
        #expect { try Clock.result(of: call) } throws: { "\($0)".contains("'city' is missing") }
    }

    @Test("a conversation is saved, restored and deleted")
    func memory() throws {
        let folder = try TemporaryFolder()
        let memory = Memory(file: folder.url.appending(path: "chat.json"))
        let first = try memory.messages()
        #expect(first.map(\.role) == [.system])
        let call = try LeapFunctionCall(name: "get_time", arguments: ["city": "Rome"])
        let messages =
            first + [
                ChatMessage(role: .user, textContent: "What time is it in Rome?"),
                ChatMessage(role: .assistant, content: [], reasoningContent: "Call it.", functionCalls: [call]),
                ChatMessage(role: .tool, textContent: "01:00"),
            ]
        try memory.keep(messages)
        #expect(try memory.messages() == messages)
        try memory.forget()
        try memory.forget()
        #expect(try memory.messages() == first)
    }

    @Test("special characters of a contact are escaped in its card")
    func card() throws {
        let contact = Contact(name: "Ann; N:x", job: #"a\b"#, city: "Rome, Italy\nEND:VCARD")
        let lines = contact.card.split(separator: "\n")
        #expect(lines[2...4] == [#"FN:Ann\; N:x"#, #"TITLE:a\\b"#, #"ADR:;;;Rome\, Italy\nEND:VCARD;;;"#])
        #expect(lines.count == 6)
    }

    @Test("a model is loaded from a file, and by name")
    func loading() async throws {
        #expect(try await loadModel(modelURL.path).modelId == "leap-tiny-q8_0")
        let downloaded = try await Vendor.open().serve { try await loadModel("LFM2-1.2B") }
        #expect(downloaded.modelId == "model")
    }
}

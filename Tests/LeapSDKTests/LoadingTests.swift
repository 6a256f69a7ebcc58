import Foundation
import LeapSDK
import Testing
import _LeapTestSupport

@Suite("Loading")
struct LoadingTests {
    @Test(
        "a file that is no model is refused with its path and the reason",
        arguments: [
            ("/nowhere/model.gguf", "/nowhere/model.gguf"), ("/tmp", "/tmp"), ("/dev/null", "/dev/null"),
            ("/nowhere/model.bundle", "is an ExecuTorch bundle: only GGUF files can be loaded"),
        ])
    func refused(path: String, text: String) async {
        await #expect {
            try await Leap.load(url: URL(fileURLWithPath: path))
        } throws: { error in
            guard case LeapError.modelLoadingFailure = error else { return false }
            return "\(error)".hasPrefix("the model cannot be loaded: '\(path)'") && "\(error)".contains(text)
        }
    }

    @Test("a URL that is not a file's is refused")
    func notAFile() async {
        await #expect {
            try await Leap.load(url: #require(URL(string: "https://example.com/model.gguf")))
        } throws: {
            "\($0)"
                == "the model cannot be loaded: 'https://example.com/model.gguf' is not the URL of a file"
        }
    }

    @Test("a context that the model was not trained for is refused with both numbers", arguments: [0, UInt32.max])
    func context(size: UInt32) async {
        await #expect {
            try await load(options: .init(bundlePath: "", contextSize: size))
        } throws: {
            "\($0)".contains("a context of \(size) tokens was asked for, but the model's is 1 to")
        }
    }

    @Test("reading a file into memory gives the same answers as mapping it")
    func withoutMap() async throws {
        var answers: [String] = []
        for useMmap in [true, false] {
            let runner = try await load(options: .init(bundlePath: "", useMmap: useMmap))
            answers.append(
                try await collect(
                    runner.createConversation().generateResponse(
                        message: ChatMessage(role: .user, textContent: "Hi"), generationOptions: short)
                ).text)
        }
        #expect(answers[0] == answers[1])
    }

    @Test("loading many times at once succeeds every time")
    func concurrent() async throws {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await load().modelId } }
            for try await name in group { #expect(name == "lfm2-tied-f32") }
        }
    }
}

import Foundation
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

extension TemporaryFolder {
    /// Makes a model folder in the layout of Hugging Face's libraries.
    func modelFolder() throws -> String {
        let root = Fixture.folder.appending(path: "hugging-face")
        let target = url.appending(path: "llama")
        try FileManager.default.copyItem(at: root.appending(path: "llama"), to: target)
        let tokenizer = root.appending(path: "tokenizers/llama3")
        for name in try FileManager.default.contentsOfDirectory(atPath: tokenizer.path) {
            try FileManager.default.copyItem(at: tokenizer.appending(path: name), to: target.appending(path: name))
        }
        return target.path
    }
}

/// What a model writes first after a prompt.
func firstToken(_ path: String) async throws -> String {
    let outcome = try await Tool.leap.run(["run", path, "--raw", "-p", "a", "-n", "1", "--temp", "0"])
    #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
    return outcome.text
}

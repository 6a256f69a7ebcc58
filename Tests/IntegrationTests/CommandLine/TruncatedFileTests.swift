import Foundation
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// A model file that is truncated while the tool reads it, and the signal that such a read raises.
@Suite("Truncated model files")
struct TruncatedFileTests {
    @Test("truncating the model during an answer ends it with an error")
    func shortened() async throws {
        let folder = try TemporaryFolder()
        var data = try Data(contentsOf: URL(filePath: Fixture(name: "lfm2-tied-f32").path))
        // The key is followed by the value's type, 4 bytes, and the value: a context too large to end the answer.
        let key = try #require(data.range(of: Data("lfm2.context_length".utf8)))
        data.replaceSubrange(key.upperBound + 4..<key.upperBound + 8, with: Data([0, 0, 16, 0]))
        let model = try folder.write("model.gguf", data)
        let outcome = try await Tool.leap.run(
            bash: """
                cd '\(folder.url.path)'
                "$LEAP" run model.gguf --raw -p Hello --temp 0 --repeat-penalty 0.5 > answer & process=$!
                while [ ! -s answer ] && kill -0 $process; do sleep 0.01; done
                truncate -s 4096 model.gguf
                wait $process
                """)
        #expect(outcome.status == ExitStatus.failure, "\(outcome.errorText)")
        #expect(outcome.errorText.contains("the file shrank while it was in use"), "\(outcome.errorText)")
        #expect(model.hasSuffix("model.gguf"))
    }

    @Test("an unrelated bus error ends the process as usual")
    func foreignSignal() async throws {
        let folder = try TemporaryFolder()
        let outcome = try await Tool.leap.run(
            bash: """
                cd '\(folder.url.path)'
                mkfifo input
                exec 3<> input
                export SWIFT_BACKTRACE=enable=no
                "$LEAP" run '\(Fixture(name: "lfm2-chat-q8_0").path)' -i <&3 > answer & process=$!
                echo Hello >&3
                while [ ! -s answer ] && kill -0 $process; do sleep 0.01; done
                kill -BUS $process
                wait $process
                echo $?
                """)
        // 128 and the signal's number, as the shell reports it.
        #expect(outcome.text == "\(128 + SIGBUS)\n", "\(outcome.errorText)")
    }
}

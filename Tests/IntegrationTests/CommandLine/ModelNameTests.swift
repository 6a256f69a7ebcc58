import ArgumentParser
import Foundation
import LeapHub
import Testing
import _LeapHTTPTestSupport
import _LeapProcessTestSupport
import _LeapTestSupport

@testable import LeapToolSupport

/// How the model arguments of commands are understood.
@Suite(.timeLimit(.minutes(5)))
struct ModelNameTests {
    @Test("A path that does not exist is a missing file, and similar names are suggested")
    func missing() throws {
        let folder = try TemporaryFolder()
        for name in ["LFM2-1.2B-Q4_K_M.gguf", "LFM2-1.2B-Q8_0.gguf", "notes.txt"] { _ = try folder.write(name, "") }
        let near = #expect(throws: CommandError.self) { try ModelName(folder.path("LFM2-1.2B-Q8.gguf")) }
        #expect(
            near?.description.hasSuffix(
                "Q8.gguf': no such file. Did you mean 'LFM2-1.2B-Q8_0.gguf'? There is also "
                    + "'LFM2-1.2B-Q4_K_M.gguf'") == true, "\(near?.description ?? "")")
        let other = #expect(throws: CommandError.self) { try ModelName(folder.path("mistral.gguf")) }
        #expect(
            other?.description.hasSuffix(
                "no such file. There are 'LFM2-1.2B-Q8_0.gguf', 'LFM2-1.2B-Q4_K_M.gguf'") == true,
            "\(other?.description ?? "")")
        let lost = #expect(throws: CommandError.self) { try ModelName(folder.path("nowhere/model.gguf")) }
        #expect(lost?.description.contains("The folder '\(folder.path("nowhere"))' does not exist") == true)
    }

    @Test(
        "An argument with slashes that does not exist is a missing file, with advice",
        arguments: [
            ("owner/name", "For a Hugging Face repository, write hf:owner/name or -hf owner/name"),
            ("owner/name:Q4_0", "or -hf owner/name:Q4_0"), ("./model", "no such file"),
            ("../a/b", "The folder '"), ("a/b/c", "The folder '"), ("model.gguf", "no such file"),
            ("~/model.gguf", "only if it is not quoted"), ("x.bundle", "no such file"),
        ])
    func slashes(text: String, advice: String) throws {
        let error = #expect(throws: CommandError.self) { try ModelName(text) }
        #expect(error?.description.hasPrefix("'\(text)': no such file") == true)
        #expect(error?.description.contains(advice) == true, "\(error?.description ?? "")")
    }

    @Test("Names and repositories are distinguished from files")
    func names() throws {
        #expect(try ModelName("LFM2-1.2B:Q4_0") == .reference(.named("LFM2-1.2B", quantization: "Q4_0")))
        #expect(try ModelName("hf:a/b") == .reference(.repository("a/b", quantization: nil)))
        #expect(try ModelName.repository("a/b:Q8_0") == .reference(.repository("a/b", quantization: "Q8_0")))
        #expect(try ModelFlags.parse(["-hf", "hf:a/b"]).name() == .reference(.repository("a/b", quantization: nil)))
        let file = try ModelFlags.parse(["--hf-repo", "a/b", "-hff", "x/y.gguf"]).name()
        #expect(file == .repositoryFile("a/b", path: "x/y.gguf"))
    }

    @Test("A missing file causes no network request")
    func noNetwork() async throws {
        let vendor = try await Vendor.open()
        expectFailure(try await vendor.leap("run", "./Tiny", "Hello"), "no such file")
        expectFailure(try await vendor.leap("run", "owner/tiny", "Hello"), "or -hf owner/tiny")
        #expect(vendor.server.server.requests.isEmpty)
    }

    @Test("Commands that only read a model suggest 'leap pull' and download nothing")
    func notHere() async throws {
        let vendor = try await Vendor.open()
        let advice = "'Tiny' is not on this machine: 'leap pull Tiny:Q8_0' downloads"
        expectFailure(try await vendor.leap("inspect", "Tiny"), advice)
        expectFailure(try await vendor.leap("tokenize", "Tiny", "Hello"), advice)
        expectFailure(try await vendor.leap("render", "Tiny", "--messages", "-"), advice)
        #expect(vendor.transfers.isEmpty)
        let unknown = try await vendor.leap("inspect", "Nothing", "--offline")
        #expect(unknown.status == ExitStatus.failure && unknown.errorText.hasPrefix("error: "))
    }

    @Test("All commands accept the name of a downloaded model")
    func everywhere() async throws {
        let vendor = try await Vendor.open()
        #expect(try await vendor.leap("pull", "Tiny").status == ExitStatus.success)
        let text = try vendor.folder.write("text", String(repeating: "Seven and five are twelve. ", count: 20))
        let messages = try vendor.folder.write("messages", #"[{"role": "user", "content": "Hello"}]"#)
        let outcomes = [
            try await vendor.leap("inspect", "Tiny"), try await vendor.leap("tokenize", "Tiny:Q8_0", "Hello"),
            try await vendor.leap("tokenize", "-m", "Tiny", "Hello"), try await vendor.leap("detokenize", "Tiny", "1"),
            try await vendor.leap("detokenize", "-m", "Tiny", "1", "2"),
            try await vendor.leap("render", "Tiny", "--messages", messages),
            try await vendor.leap("render", "-m", "Tiny", "--messages", messages),
            try await vendor.leap("perplexity", "Tiny", "-f", text, "-c", "16"),
            try await vendor.leap("logits", "-m", "Tiny", "--tokens", "1,2", "--out", vendor.folder.path("logits")),
            try await vendor.leapBench("-m", "Tiny", "-p", "8", "-n", "2", "-r", "1", "-o", "jsonl"),
            try await vendor.leap("show", "Tiny"), try await vendor.leap("show", "-m", "Tiny"),
            try await vendor.leap("rm", "-m", "Tiny"),
        ]
        for outcome in outcomes { #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)") }
        #expect(outcomes[9].text.contains("\"pp8\""))
        #expect(outcomes[10].text == outcomes[11].text)
        #expect(try await vendor.leap("list").text == "")
        #expect(vendor.transfers.count == 1)
    }

    @Test("-hf selects a Hugging Face repository, and -hff a file in it")
    func repository() async throws {
        let vendor = try await Vendor.open()
        let answer = try await vendor.leap("run", "-hf", "owner/tiny:Q8_0", "What is 7 + 5?", "-n", "4", "--temp", "0")
        #expect(answer.status == ExitStatus.success && !answer.text.isEmpty, "\(answer.errorText)")
        #expect(try await vendor.leap("list").text.hasPrefix("hf:owner/tiny:Q8_0 "))
        let bench = try await vendor.leapBench("-hf", "owner/tiny", "-p", "8", "-n", "0", "-r", "1", "-o", "jsonl")
        #expect(bench.status == ExitStatus.success, "\(bench.errorText)")
        let flags = ["-hf", "owner/tiny", "-hff", "tiny-Q8_0.gguf"]
        expectFailure(
            try await vendor.leap("inspect", flags[0], flags[1], flags[2], flags[3]),
            "'leap pull -hf owner/tiny -hff tiny-Q8_0.gguf' downloads it")
        let pulled = try await vendor.leap("pull", flags[0], flags[1], flags[2], flags[3])
        #expect(pulled.text.hasSuffix("/tiny-Q8_0.gguf\n"), "\(pulled.errorText)")
        let requests = vendor.server.server.requests.count
        let again = try await vendor.leap("inspect", flags[0], flags[1], flags[2], flags[3])
        #expect(again.status == ExitStatus.success, "\(again.errorText)")
        #expect(vendor.server.server.requests.count == requests)
    }

    @Test("Models downloaded with -hf and -hff are shown and removed with the same flags")
    func flags() async throws {
        let vendor = try await Vendor.open()
        let (flags, file) = (["-hf", "owner/tiny"], ["-hff", "tiny-Q8_0.gguf"])
        let remote = try await vendor.leap("show", flags[0], flags[1])
        #expect(remote.status == ExitStatus.success && remote.text.contains("tiny-Q8_0.gguf"), "\(remote.errorText)")
        expectFailure(
            try await vendor.leap("show", flags[0], flags[1], file[0], file[1]),
            "'leap pull -hf owner/tiny -hff tiny-Q8_0.gguf' downloads it")
        for given in [flags, flags + file] {
            func leap(_ command: String) async throws -> Tool.Outcome {
                try await Tool.leap.run([command] + given, environment: vendor.environment)
            }
            #expect(try await leap("pull").status == ExitStatus.success)
            #expect(try await leap("show").text.contains(vendor.folder.url.path))
            let removed = try await leap("rm")
            #expect(removed.status == ExitStatus.success, "\(removed.errorText)")
            expectFailure(try await leap("rm"), "is not on this machine: see 'leap list'")
        }
    }

    @Test("show and rm reject a file given with -m")
    func files() async throws {
        let vendor = try await Vendor.open()
        let file = try vendor.folder.write("model.gguf", "")
        expectFailure(try await vendor.leap("show", "-m", file), "is a file: 'leap inspect' shows its contents")
        expectFailure(try await vendor.leap("rm", "-m", file), "'leap rm' removes only downloaded models")
        #expect(FileManager.default.fileExists(atPath: file))
    }

    @Test("pull, show and rm recognise a file that is given as an argument, and ask no server about it")
    func fileArguments() async throws {
        let vendor = try await Vendor.open()
        let texts = [
            ("pull", "the model is a file on this machine"), ("show", "'leap inspect' shows its contents"),
            ("rm", "'leap rm' removes only downloaded models"),
        ]
        for name in ["model.gguf", "./model.gguf", "weights"] {
            for (command, text) in texts {
                expectFailure(
                    try await vendor.leap(
                        bash: "cd '\(vendor.folder.url.path)'; touch model.gguf weights; \"$LEAP\" \(command) \(name)"),
                    text)
            }
        }
        for (command, _) in texts {
            expectFailure(try await vendor.leap(command, "gone.gguf"), "'gone.gguf': no such file")
        }
        #expect(vendor.server.server.requests.isEmpty)
        let pulled = try await vendor.leap(
            bash: "cd '\(vendor.folder.url.path)'; mkdir Tiny; \"$LEAP\" pull Tiny")
        #expect(pulled.status == ExitStatus.success && vendor.transfers.count == 1, "\(pulled.errorText)")
    }

    @Test("An empty list reports the searched folder on standard error")
    func emptyList() async throws {
        let vendor = try await Vendor.open()
        let list = try await vendor.leap("list")
        #expect(list.text == "" && list.status == ExitStatus.success)
        #expect(list.errorText.hasPrefix("no models in \(vendor.folder.url.path)"), "\(list.errorText)")
        #expect(try await vendor.leap("list", "--json").text == "[]\n")
    }
}

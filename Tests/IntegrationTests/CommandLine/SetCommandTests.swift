import Foundation
import LeapGGUF
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@Suite("Changing metadata")
struct SetCommandTests {
    private let folder: TemporaryFolder
    private let source = Fixture(name: "llama-rope-linear-f32").path

    init() throws { folder = try TemporaryFolder() }

    @Test("set changes, adds and removes typed values, and keeps the tensors")
    func set() async throws {
        let template = try folder.write("template.jinja", "{{ messages }}\n")
        let path = folder.path("model.gguf")
        let outcome = try await Tool.leap.run([
            "set", source, "llama.context_length=77", "my.number:f32=0.5", "my.list:[i32]=[1,-2]",
            #"my.names:[str]=["a b","c"]"#, "general.name=Named = so", "tokenizer.chat_template:file=\(template)",
            "--remove", "general.license", "-o", path,
        ])
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        let (before, after) = (try GGUFFile(path: source), try GGUFFile(path: path))
        #expect(after.metadata.value("llama.context_length") == .uint32(77))
        #expect(after.metadata.value("my.number") == .float32(0.5))
        #expect(after.metadata.value("general.name") == .string("Named = so"))
        #expect(after.metadata.value("tokenizer.chat_template") == .string("{{ messages }}\n"))
        #expect(!after.metadata.contains("general.license"))
        guard case .array(let list)? = after.metadata.value("my.list"),
            case .array(let names)? = after.metadata.value("my.names")
        else {
            Issue.record("no arrays")
            return
        }
        #expect(list.indices.map { list[$0] } == [.int32(1), .int32(-2)])
        #expect(names.indices.map { names[$0] } == [.string("a b"), .string("c")])
        for (left, right) in zip(before.tensors, after.tensors) { #expect(left.bytes.elementsEqual(right.bytes)) }
        let shown = try await Tool.leap.run(["inspect", path, "--chat-template"])
        #expect(shown.text == "{{ messages }}\n\n")
    }

    @Test("inspect shows numbers that JSON does not have")
    func specialNumbers() async throws {
        let path = folder.path("model.gguf")
        let outcome = try await Tool.leap.run(
            ["set", source, "my.number:f64=-inf", #"my.list:[f32]=["nan",0.5,"inf"]"#, "-o", path])
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        let shown = try await Tool.leap.run(["inspect", path])
        #expect(shown.text.contains("my.number = -inf\n") && shown.text.contains("my.list = [nan, 0.5, inf]\n"))
    }

    @Test("Invalid changes are reported, and nothing is written")
    func setFaults() async throws {
        let output = ["-o", folder.path("model.gguf")]
        expectFailure(try await Tool.leap.run(["set", source, "my.key=1"] + output), "to add it, give its type")
        expectFailure(try await Tool.leap.run(["set", source, "llama.context_length=-1"] + output), "uint32")
        expectFailure(try await Tool.leap.run(["set", source, "--remove", "my.key"] + output), "no key 'my.key'")
        expectUsageError(try await Tool.leap.run(["set", source] + output), "There is nothing to change")
        expectUsageError(try await Tool.leap.run(["set", source, "a:u7=1"] + output), "a:u7=1")
        for twice in [["a:u8=1", "a:u8=2"], ["a:u8=1", "--remove", "a"], ["--remove", "a", "--remove", "a"]] {
            expectUsageError(try await Tool.leap.run(["set", source] + twice + output), "'a' is changed twice")
        }
        for setting in ["a:f32=1e39", "a:[f32]=[1,1e39]", "a:f64=1e999", "a:[str]=[\"x\",1]", "a:[str]=[null]"] {
            expectFailure(try await Tool.leap.run(["set", source, setting] + output), "'a' must be a")
        }
        #expect(try folder.content == [])
    }
}

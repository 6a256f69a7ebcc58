import Foundation
import LeapModels
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// Something given in place of a model that is not one.
enum BadModelFile: String, CaseIterable, Sendable {
    case missing, directory, fifo, device, empty, truncatedHeader, truncatedTensors, text, webPage, hugeCounts

    /// Creates it and returns its path.
    func make(in folder: TemporaryFolder) throws -> String {
        let whole = try Data(contentsOf: URL(filePath: Fixture(name: "llama-tied-f32").path))
        switch self {
        case .missing: return folder.path("missing.gguf")
        case .directory: return folder.url.path
        case .fifo:
            try #require(mkfifo(folder.path("fifo.gguf"), 0o600) == 0)
            return folder.path("fifo.gguf")
        case .device: return "/dev/zero"
        case .empty: return try folder.write("empty.gguf", "")
        case .truncatedHeader: return try folder.write("header.gguf", whole.prefix(1000))
        case .truncatedTensors: return try folder.write("tensors.gguf", whole.dropLast(1000))
        case .text: return try folder.write("text.gguf", "Call me Ishmael.\n")
        case .webPage: return try folder.write("page.gguf", "<!DOCTYPE html><title>Sign in</title>")
        case .hugeCounts:
            var file = HandmadeGGUF()
            file.metadataCount = .max
            return try folder.write("counts.gguf", file.bytes)
        }
    }

    /// The error that every command reports.
    var message: String {
        switch self {
        case .missing: "no such file"
        case .directory: "is a folder without a model: expected config.json"
        case .fifo: "expected a regular file, found a FIFO"
        case .device: "expected a regular file, found a device"
        case .empty: "the file is empty"
        case .truncatedHeader: "the file is truncated or damaged"
        case .truncatedTensors: "the download is incomplete"
        case .text: "not a GGUF file"
        case .webPage: "This is a web page"
        case .hugeCounts: "which does not fit into"
        }
    }
}

@Suite struct BadModelFileTests {
    /// A command that reads a model, with otherwise valid arguments.
    enum Command: String, CaseIterable, Sendable {
        case run, inspect, tokenize, detokenize, render, logits, perplexity

        func arguments(_ model: String, in folder: TemporaryFolder) throws -> [String] {
            switch self {
            case .run, .tokenize: [rawValue, model, "Hello"]
            case .inspect: [rawValue, model]
            case .detokenize: [rawValue, model, "1"]
            case .render: [rawValue, model, "--messages", try folder.write("messages", "[]")]
            case .logits: [rawValue, model, "--tokens", "1", "--out", folder.path("logits")]
            case .perplexity: [rawValue, model, "--file", try folder.write("prose", "Call me Ishmael.")]
            }
        }
    }

    @Test("A file that is not a valid model is rejected", arguments: Command.allCases, BadModelFile.allCases)
    func refused(command: Command, file: BadModelFile) async throws {
        let folder = try TemporaryFolder()
        let path = try file.make(in: folder)
        let outcome = try await Tool.leap.run(command.arguments(path, in: folder))
        expectFailure(outcome, file.message)
        #expect(outcome.errorText.contains(path))
        #expect(try !folder.content.contains("logits"))
    }

    @Test("An unsupported architecture is reported by name", arguments: [Command.run, .logits, .perplexity])
    func unknownArchitecture(command: Command) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("mamba2.gguf", try modelOfUnknownArchitecture())
        let outcome = try await Tool.leap.run(command.arguments(path, in: folder))
        let supported = LanguageModel.supportedArchitectures.joined(separator: ", ")
        expectFailure(outcome, "architecture 'mamba2' is not supported. Supported: \(supported).")
    }

    @Test("A file of an unknown architecture can still be inspected")
    func inspection() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("mamba2.gguf", try modelOfUnknownArchitecture())
        let outcome = try await Tool.leap.run(["inspect", path])
        #expect(outcome.status == ExitStatus.success)
        #expect(
            outcome.text.contains("supported       no\n  architecture 'mamba2' is not supported"), "\(outcome.text)")
    }

    /// A fixture with another architecture's name: its value is replaced together with its type and length.
    private func modelOfUnknownArchitecture() throws -> Data {
        var bytes = try Data(contentsOf: URL(filePath: Fixture(name: "lfm2-tied-f32").path))
        let value = try #require(bytes.range(of: Data(ggufString("general.architecture".utf8))))
        let old = littleEndian(UInt32(8)) + ggufString("lfm2".utf8)
        let found = bytes[value.upperBound..<value.upperBound + old.count]
        try #require(Array(found) == old)
        bytes.replaceSubrange(
            value.upperBound..<value.upperBound + old.count, with: littleEndian(UInt32(8)) + ggufString("mamba2".utf8))
        return bytes
    }
}

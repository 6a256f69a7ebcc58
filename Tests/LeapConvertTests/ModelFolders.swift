import Foundation
import LeapJSON
import OrderedCollections
import Testing
import _LeapTestSupport

/// A model of `Fixtures/hugging-face/`, and the output of llama.cpp's converter for it.
struct FolderFixture: Sendable, CustomTestStringConvertible {
    let name: String

    var testDescription: String { name }

    static let root = Fixture.folder.appending(path: "hugging-face")

    /// All models.
    static let all: [FolderFixture] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { FolderFixture(name: String($0.dropLast(5))) }
    }()

    /// The converter's output.
    var expected: JSONValue {
        get throws {
            try JSONValue(parsing: Data(contentsOf: Self.root.appending(path: "\(name).json")))
        }
    }

    /// A folder with the model and its tokenizer.
    func assemble(in folder: TemporaryFolder) throws -> String {
        let target = folder.url.appending(path: name)
        try FileManager.default.copyItem(at: Self.root.appending(path: name), to: target)
        let tokenizer = try expected["tokenizer"]?.string ?? ""
        let source = Self.root.appending(path: "tokenizers/\(tokenizer)")
        for file in try FileManager.default.contentsOfDirectory(atPath: source.path) {
            try FileManager.default.copyItem(at: source.appending(path: file), to: target.appending(path: file))
        }
        return target.path
    }

    /// Changes a JSON document of an assembled folder.
    static func edit(_ path: String, _ name: String, _ change: (inout [String: JSONValue]) -> Void) throws {
        let url = URL(filePath: path).appending(path: name)
        var members = try JSONValue(parsing: Data(contentsOf: url)).dictionary ?? [:]
        change(&members)
        let object = JSONValue.object(.init(uniqueKeysWithValues: members.sorted { $0.key < $1.key }))
        try Data(object.text().utf8).write(to: url)
    }
}

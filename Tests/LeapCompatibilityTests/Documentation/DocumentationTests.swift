import Foundation
import Testing

/// Every Swift code block in the documentation also occurs, line by line, in a source of this folder, and so is compiled.
@Suite("Documentation")
struct DocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let articles =
        files(in: "Sources/LeapSDK/LeapSDK.docc", withExtension: "md") + [root.appendingPathComponent("README.md")]

    private static func files(in folder: String, withExtension name: String) -> [URL] {
        let folder = root.appendingPathComponent(folder)
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.pathExtension == name }.sorted { $0.path < $1.path }
    }

    /// Lines without indentation, and without empty ones.
    private static func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// The Swift code blocks in an article, without those that are part of a package manifest.
    private static func blocks(_ article: String) -> [[String]] {
        article.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }.map(lines)
            .filter { !isManifest($0.first ?? "") }
    }

    /// Whether a block that begins with this line is a package manifest, or a part of one.
    private static func isManifest(_ first: String) -> Bool {
        ["// Package.swift", "// swift-tools-version:"].contains { first.hasPrefix($0) }
    }

    @Test("every Swift code block is compiled", arguments: articles)
    func compiled(article: URL) throws {
        let sources = try Self.files(in: "Tests/LeapCompatibilityTests/Documentation", withExtension: "swift")
            .map { Self.lines(try String(contentsOf: $0, encoding: .utf8)) }
        for block in Self.blocks(try String(contentsOf: article, encoding: .utf8)) {
            let imports = block.filter { $0.hasPrefix("import ") }
            let program = Array(block.dropFirst(imports.count))
            let isCompiled = sources.contains { source in
                imports.allSatisfy(source.contains) && source.contains(run: program)
            }
            #expect(isCompiled, "\(article.lastPathComponent): no source has\n\(program.joined(separator: "\n"))")
        }
    }

    @Test("articles are found, and a missing block is noticed")
    func notVacuous() {
        #expect(Self.articles.count > 3)
        #expect(
            Self.blocks("```swift\n  let a = 1\n\n  a\n```\n```swift\n// Package.swift\n```") == [["let a = 1", "a"]])
        #expect(!["a", "b", "c"].contains(run: ["a", "c"]) && ["a", "b", "c"].contains(run: ["b", "c"]))
    }
}

extension [String] {
    /// Whether the given lines occur here consecutively.
    fileprivate func contains(run: [String]) -> Bool {
        indices.contains { self[$0...].starts(with: run) }
    }
}

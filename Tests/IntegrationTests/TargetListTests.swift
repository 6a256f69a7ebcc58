import Foundation
import Testing
import _LeapTestSupport

/// The tree of targets in `docs/architecture.md`.
@Suite("List of targets")
struct TargetListTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Fixture.folder.deletingLastPathComponent().appending(path: path), encoding: .utf8)
    }

    @Test("The page on architecture has the package's targets, and no others")
    func isComplete() throws {
        let declarations = try Self.text("Package.swift")
            .matches(of: /\.(?:target|executableTarget|macro)\(\s*name: "([^"]+)"/)
        let targets = Set(declarations.map { String($0.1) })
        #expect(targets.count > 30)
        let section = try Self.text("docs/architecture.md").components(separatedBy: "\n## ")
            .first { $0.hasPrefix("Targets\n") }
        let tree = try #require(section).components(separatedBy: "\n").filter { $0.hasPrefix("    ") }
            .joined(separator: "\n")
        let names = Set(tree.matches(of: /[\w-]+/).map { String($0.0) })
        // Targets like the one before may be named by their endings.
        let endings = tree.matches(of: /…(\w+)/).map { String($0.1) }
        for target in targets where !names.contains(target) && !endings.contains(where: target.hasSuffix) {
            // The tree has some levels of kernels only.
            #expect(target.hasPrefix("LeapKernels"), "\(target) is missing")
        }
        #expect(names.filter { $0.contains(/^_?Leap/) }.subtracting(targets) == [])
    }
}

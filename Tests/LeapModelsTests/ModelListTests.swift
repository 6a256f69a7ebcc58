import Foundation
import LeapGGUF
import Testing
import _LeapTestSupport

@testable import LeapModels

/// `docs/models.md`, which `scripts/models-table` writes from the fixtures.
@Suite("List of models")
struct ModelListTests {
    private static let page = Fixture.folder.appendingPathComponent("../docs/models.md")

    /// The line of each architecture.
    private static func lines() throws -> [String: String] {
        let text = try String(contentsOf: page, encoding: .utf8)
        var lines: [String: String] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| `") {
            lines[String(line.dropFirst(3).prefix { $0 != "`" })] = String(line)
        }
        return lines
    }

    /// The fixtures of all architectures, as the page names them.
    private static func fixtures() throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for fixture in Fixture.all {
            let architecture = try GGUFFile(path: fixture.path).metadata.string("general.architecture")
            let prompts = try FixtureReference(of: fixture).prompts
            let errors = prompts.compactMap(\.measuredError)
            let pooled = (errors.reduce(0) { $0 + $1 * $1 } / Double(max(1, errors.count))).squareRoot()
            let figure = errors.count == prompts.count ? String(format: "%.1e", pooled) : "–"
            found[architecture, default: []].append("`\(fixture.name)` \(figure)")
        }
        for name in EmbedderTests.all {
            let architecture = try GGUFFile(path: VectorReference.path(name)).metadata.string("general.architecture")
            found[architecture, default: []].append("`\(name)`")
        }
        return found
    }

    @Test("Every architecture has a fixture, and the page lists exactly these with their errors")
    func isComplete() throws {
        let (lines, fixtures) = try (Self.lines(), Self.fixtures())
        let registered = (Architectures.writers + Architectures.encoders).map { $0.name }
        #expect(Set(lines.keys) == Set(registered), "run scripts/models-table")
        for name in registered {
            let own = fixtures[name] ?? []
            #expect(!own.isEmpty, "\(name) has no fixture")
            for fixture in own {
                #expect(lines[name]?.contains(fixture) == true, "\(name) \(fixture): run scripts/models-table")
            }
        }
    }
}

import Foundation
import Testing

/// The linked files, paths and types that documents name exist.
@Suite("Names in documents")
struct DocumentNamesTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let folders = [
        "Benchmarks", "Examples", "Fixtures", "Plugins", "Sources", "Tests", "docs", "scripts",
    ]

    /// The repository's files: those in its folders, and those at its root.
    private static let files = folders.flatMap { files(below: root.appending(path: $0)) } + files(in: root)

    private static let documents = files.filter { ["md", "tutorial"].contains($0.pathExtension) }

    /// Names of other programs, names of the LEAP SDK that are documented as missing, and placeholders.
    private static let foreign: Set = [
        "LiquidEngine", "LiquidEngineRunner", "LeapGenerationException", "Name", "Name2", "BlockXX", "DotXX",
        "Last", "Unreleased",  // Last-Modified of HTTP, and a heading of the changelog
    ]

    /// Every word in sources, scripts and file names.
    private static let words: Set<Substring> = {
        let sources = files.filter { ["swift", "py", "jinja", "bash", ""].contains($0.pathExtension) }
        let texts = sources.compactMap { try? String(contentsOf: $0, encoding: .utf8) } + files.map(\.path)
        return Set(texts.flatMap { $0.split { !isPartOfName($0) } })
    }()

    private static func isPartOfName(_ character: Character) -> Bool {
        character == "_" || character.isASCII && (character.isLetter || character.isNumber)
    }

    private static func files(below folder: URL) -> [URL] {
        let names = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: [.isRegularFileKey], options: .skipsHiddenFiles)
        return (names?.compactMap { $0 as? URL } ?? []).filter(isFile)
    }

    private static func files(in folder: URL) -> [URL] {
        let names = try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        return (names ?? []).filter(isFile)
    }

    private static func isFile(_ url: URL) -> Bool {
        (try? url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
    }

    /// A document without its code blocks, which are compiled elsewhere.
    private static func prose(_ document: URL) throws -> String {
        let parts = try String(contentsOf: document, encoding: .utf8).components(separatedBy: "\n```")
        return stride(from: 0, to: parts.count, by: 2).map { parts[$0] }.joined(separator: "\n")
    }

    @Test("every link points to an existing file", arguments: documents)
    func links(document: URL) throws {
        for match in try Self.prose(document).matches(of: /\]\(([^)\s#]+)[^)\s]*\)/) {
            let target = String(match.output.1)
            guard !target.contains("://") else { continue }
            let url = document.deletingLastPathComponent().appending(path: target)
            #expect(
                FileManager.default.fileExists(atPath: url.path), "\(document.lastPathComponent) links to \(target)")
        }
    }

    @Test("every path names an existing file or folder", arguments: documents)
    func paths(document: URL) throws {
        for match in try Self.prose(document).matches(of: /`((?:[A-Za-z]+\/)+[A-Za-z0-9_+.\-]+)`/) {
            let path = String(match.output.1)
            guard Self.folders.contains(where: { path.hasPrefix($0 + "/") }), !path.hasSuffix("/Name.swift"),
                !path.contains("XX")
            else { continue }
            let url = Self.root.appending(path: path)
            #expect(FileManager.default.fileExists(atPath: url.path), "\(document.lastPathComponent) names \(path)")
        }
    }

    @Test("every type occurs in the sources", arguments: documents)
    func types(document: URL) throws {
        for match in try Self.prose(document).matches(of: /`([A-Z][A-Za-z0-9_]*[a-z][A-Za-z0-9_]*)[^`\n]*`/) {
            let name = match.output.1
            guard !Self.foreign.contains(String(name)) else { continue }
            let isThere = Self.words.contains(name)
            #expect(isThere, "\(document.lastPathComponent) names \(name)")
        }
    }

    @Test(
        "every decision states its date and status, and the list of decisions agrees",
        arguments: documents.filter { $0.path.contains("/docs/decisions/0") })
    func decisions(document: URL) throws {
        let page = try String(contentsOf: document, encoding: .utf8)
        let name = document.lastPathComponent
        let head = try #require(
            page.firstMatch(of: /^# (\d{4}): (.+)\n\nDecided (\d{4}-\d\d-\d\d); ([^.]+(?:\.md[^.]+)*)\./))
        let (_, number, title, date, standing) = head.output
        let list = try String(
            contentsOf: document.deletingLastPathComponent().appending(path: "README.md"), encoding: .utf8)
        let line = "| [\(number)](\(name)) | \(title) | \(date) | \(standing.replacing("\n", with: " ")) |"
        #expect(name.hasPrefix("\(number)-"))
        #expect(list.contains(line), "the list of decisions lacks\n\(line)")
    }

    @Test("documents and source words are found")
    func notVacuous() {
        #expect(Self.documents.count > 30 && Self.words.contains("DocumentNamesTests"))
        #expect(!Self.words.contains(Substring("Documents" + "Nowhere")))
    }
}

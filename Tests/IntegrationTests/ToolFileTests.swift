import Foundation
import LeapToolSupport
import Testing
import _LeapTestSupport

@Suite("Files that tools read and write")
struct ToolFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("An error of Foundation's is its file and the system's words")
    func foundation() throws {
        let path = folder.path("nowhere")
        let error = #expect(throws: (any Error).self) { try FileManager.default.contentsOfDirectory(atPath: path) }
        #expect(Failure.text(of: try #require(error)) == "\(path): No such file or directory")
        #expect(Failure.text(of: POSIXError(.ENOSPC)) == "No space left on device")
    }

    @Test("What cannot be looked at is not said to be missing")
    func unreachable() throws {
        let file = try folder.write("file", "")
        let error = #expect(throws: CommandError.self) { try InputFile.text("\(file)/x") }
        #expect(error?.description == "\(file)/x: cannot be read: Not a directory")
    }

    @Test("A place that cannot be written to is found without writing")
    func places() throws {
        for path in ["-", folder.path("nowhere/x"), folder.path("file/x")] {
            _ = try folder.write("file", "")
            #expect(throws: CommandError.self) { try OutputFile.check(path) }
        }
        for path in ["/dev/null", folder.path("new"), folder.path("file")] { try OutputFile.check(path) }
        #expect(try folder.content == ["file"])
    }
}

import Foundation
import LeapToolSupport
import Testing
import _LeapTestSupport

@Suite("Input and output files of the tools")
struct ToolFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("Foundation errors are reported as the path, if any, and the system's message")
    func foundation() throws {
        let path = folder.path("nowhere")
        let error = #expect(throws: (any Error).self) { try FileManager.default.contentsOfDirectory(atPath: path) }
        #expect(Failure.text(of: try #require(error)) == "\(path): No such file or directory")
        #expect(Failure.text(of: POSIXError(.ENOSPC)) == "No space left on device")
    }

    @Test("An unreachable path is not reported as a missing file")
    func unreachable() throws {
        let file = try folder.write("file", "")
        let error = #expect(throws: CommandError.self) { try InputFile.text("\(file)/x") }
        #expect(error?.description == "\(file)/x: cannot be read: Not a directory")
    }

    @Test("An unwritable output path is detected without writing anything")
    func places() throws {
        for path in ["-", folder.path("nowhere/x"), folder.path("file/x")] {
            _ = try folder.write("file", "")
            #expect(throws: CommandError.self) { try OutputFile.check(path) }
        }
        for path in ["/dev/null", folder.path("new"), folder.path("file")] { try OutputFile.check(path) }
        #expect(try folder.content == ["file"])
    }
}

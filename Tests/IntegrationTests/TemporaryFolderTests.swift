import Foundation
import Testing
import _LeapTestSupport

/// The test run fails if it leaves files behind, so the code that removes them is tested as well.
@Suite("Temporary folders of tests")
struct TemporaryFolderTests {
    @Test("a folder is removed with its owner, even while files are written into it")
    func writtenInto() async throws {
        var folder: TemporaryFolder? = try TemporaryFolder()
        let url = try #require(folder?.url)
        let writer = Task.detached {
            for number in 0..<2000 { try? Data().write(to: url.appending(path: "\(number)")) }
        }
        try await Task.sleep(for: .milliseconds(5))
        folder = nil
        await writer.value
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("a folder that is still referenced is removed when the process exits")
    func held() async throws {
        let result = try #require(
            await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                let folder = try TemporaryFolder()
                _ = try folder.write("file", "text")
                print("folder: \(folder.url.path)")
                fflush(nil)
                // Never ends, so the folder stays referenced.
                Task.detached {
                    while true { try await Task.sleep(for: .seconds(folder.path("x").count)) }
                }
            })
        let text = String(decoding: result.standardOutputContent, as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("folder: ") })
        #expect(!FileManager.default.fileExists(atPath: String(line.dropFirst(8))))
    }
}

import Foundation
import LeapGGUF
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

/// Each test runs in its own process, so that files that other tests open are not counted.
@Suite("Resource leaks of files")
struct ResourceTests {
    @Test("opening a thousand files with mmap and a thousand without leaks no resources")
    func opened() async {
        await #expect(processExitsWith: .success) {
            let path = Fixture(name: "llama-rope-linear-f32").path
            let left = try await OpenResources.left(after: 1000) {
                _ = try GGUFFile(path: path)
                _ = try GGUFFile(path: path, useMmap: false)
            }
            #expect(left.isNothing, "\(left)")
        }
    }

    @Test("opening over a thousand refused files leaks no resources")
    func refused() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let whole = try Data(contentsOf: URL(filePath: Fixture(name: "llama-rope-linear-f32").path))
            let paths = try [0, 20, 5000, whole.count - 1].map { try folder.write("\($0).gguf", whole.prefix($0)) }
            let left = try await OpenResources.left(after: 200) {
                for path in paths + ["/nowhere", "/dev/null"] {
                    #expect(throws: GGUFError.self) { try GGUFFile(path: path) }
                }
            }
            #expect(left.isNothing, "\(left)")
        }
    }
}

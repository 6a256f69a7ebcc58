import Foundation
import Testing
import _LeapProcessTestSupport

@Suite("Resources that tools use")
struct ToolResourceTests {
    @Test("50 runs of a tool leave nothing open in the parent process")
    func runs() async {
        await #expect(processExitsWith: .success) {
            let left = try await OpenResources.left(after: 50) {
                let outcome = try await Tool.leap.run(["--version"])
                #expect(outcome.status == ExitStatus.success)
            }
            #expect(left.isNothing, "\(left)")
        }
    }
}

import Foundation
import Testing
import _LeapProcessTestSupport

@Suite("Tools and what is open")
struct ToolResourceTests {
    @Test("fifty runs of a tool leave nothing open in the process that starts it")
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

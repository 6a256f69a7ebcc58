import Foundation
import HTTPTypes
import LeapHTTP
import Testing

/// What a build without the trait `Downloads` uses instead of a transport.
struct NoTransportTests {
    @Test func `Every request fails with an error that names the missing trait`() async throws {
        let transport = NoTransport()
        let url = try #require(URL(string: "https://user:secret@example.com/file?token=secret"))
        let error = try #require(
            await #expect(throws: TransportError.self) { try await transport.send(try HTTPRequest(to: url)) })
        #expect(error == .notBuilt("https://example.com/file?…"))
        #expect("\(error)".contains("'Downloads'"))
        await transport.shutdown()
    }
}

#if Server
import Foundation
import Testing

@testable import LeapServer

@Suite("Web page")
struct WebPageTests {
    @Test("a browser that has a file gets no body, also where a proxy lists several tags or weakens them")
    func cachedFiles() async throws {
        try await TestServer.run { server in
            let first = try await server.ask("GET", "/app.js")
            #expect(first.status == 200 && !first.body.isEmpty)
            let tag = String(try #require(first.head.firstMatch(of: /etag: ("[^"]+")/)).1)
            for known in ["\(tag)", "W/\(tag)", "\"other\", W/\(tag) , \"third\"", "*"] {
                let again = try await server.ask("GET", "/app.js", headers: ["If-None-Match: \(known)"])
                #expect(again.status == 304 && again.body.isEmpty, "\(known)")
            }
            for unknown in ["\"other\"", "W/\"other\"", String(tag.dropLast()) + "x\""] {
                let again = try await server.ask("GET", "/app.js", headers: ["If-None-Match: \(unknown)"])
                #expect(again.status == 200 && again.body == first.body, "\(unknown)")
            }
        }
    }
}
#endif

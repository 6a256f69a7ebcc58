import Foundation
import HTTPTypes
import LeapHTTP
import Testing

struct TextTests {
    @Test(arguments: [
        (TransportError.invalidURL("u", "it has no host"), "'u' cannot be requested: it has no host"),
        (
            .hostNotFound("u", host: "h", "no address"),
            "u: host 'h' not found (no address): check the name, the network, and whether a proxy must "
                + "be set (https_proxy)"
        ),
        (.connectionRefused("u"), "u: connection refused: nothing is listening on this port"),
        (.connectionFailed("u", "unreachable"), "u: connection failed: unreachable"),
        (.tls("u", "expired"), "u: TLS connection failed: expired"),
        (.timedOut("u", .connect, .seconds(30)), "u: connection timed out after 30 s"),
        (.timedOut("u", .idle, .milliseconds(250)), "u: no data received for 0.25 s"),
        (.timedOut("u", .whole, .seconds(600)), "u: request not complete after 600 s"),
        (.connectionLost("u", "reset"), "u: the connection was lost: reset"),
        (.invalidResponse("u", "a line"), "u: the server's response is not valid HTTP: a line"),
        (.proxyFailed("u", "no"), "u: the proxy failed: no"),
        (.shutDown("u"), "u: the HTTP client was shut down"),
        (
            .notBuilt("u"),
            "u: this program was built without network support: its package must enable the trait 'Downloads' of the "
                + "dependency leap-swift, or specify no traits at all"
        ),
        (.other("u", "odd"), "u: odd"),
    ])
    func `Errors name the URL and the reason`(error: TransportError, text: String) {
        #expect("\(error)" == text)
        #expect(error.localizedDescription == text)
        #expect(error.url == "u")
    }

    @Test func `Secrets of a URL are not shown`() throws {
        let url = try #require(URL(string: "https://user:password@example.com:8080/path?signature=secret#part"))
        #expect(url.withoutSecrets == "https://example.com:8080/path?…")
        let request = try HTTPRequest(to: url)
        #expect(request.displayName == "https://example.com:8080/path?…")
        #expect(request.authority == "example.com:8080")
        #expect(request.headerFields[.authorization] == "Basic dXNlcjpwYXNzd29yZA==")
    }

    @Test func `A URL without a path asks for the root`() throws {
        let request = try HTTPRequest(to: try #require(URL(string: "HTTPS://example.com")))
        #expect(request.scheme == "https")
        #expect(request.path == "/")
    }
}

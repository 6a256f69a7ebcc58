import Foundation
import HTTPTypes
import LeapHTTP
import Testing

struct TextTests {
    @Test(arguments: [
        (TransportError.invalidURL("u", "it names no host"), "'u' cannot be requested: it names no host"),
        (
            .hostNotFound("u", host: "h", "no address"),
            "u: the host 'h' was not found (no address): check its name, the network, and whether a proxy has to "
                + "be named (https_proxy)"
        ),
        (.connectionRefused("u"), "u: the connection was refused: nothing listens at that port"),
        (.connectionFailed("u", "unreachable"), "u: no connection: unreachable"),
        (.tls("u", "expired"), "u: no encrypted connection: expired"),
        (.timedOut("u", .connect, .seconds(30)), "u: no connection within 30 s"),
        (.timedOut("u", .idle, .milliseconds(250)), "u: not a byte arrived for 0.25 s"),
        (.timedOut("u", .whole, .seconds(600)), "u: not complete after 600 s"),
        (.connectionLost("u", "reset"), "u: the connection was lost: reset"),
        (.invalidResponse("u", "a line"), "u: the server's answer is not HTTP: a line"),
        (.proxyFailed("u", "no"), "u: the proxy failed: no"),
        (.shutDown("u"), "u: the connections were shut down"),
        (
            .notBuilt("u"),
            "u: this program was built without the network: its package must name the trait 'Downloads' where it depends "
                + "on leap-swift, or no traits at all"
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

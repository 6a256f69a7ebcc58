#if Server
import Foundation
import LeapJSON
import Testing
import _LeapTestSupport

@testable import LeapServer

/// A server on a listening socket that it did not open itself.
@Suite("Inherited sockets")
struct InheritedSocketTests {
    @Test("an inherited socket is served, and closed at shutdown", .timeLimit(.minutes(1)))
    func inherited() async throws {
        let (descriptor, port) = try Self.listeningSocket()
        try await TestServer.run {
            $0.address = .tcp(host: "127.0.0.1", port: port)
            $0.socket = descriptor
        } _: { server in
            #expect(Int(server.port) == port)
            #expect(try await server.ask("GET", "/health").status == 200)
            let replies = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await server.ask("POST", "/v1/completions", #"{"prompt":"Hi","max_tokens":3}"#).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(replies == [200, 200, 200, 200])
            // An idle connection does not keep the server from stopping.
            let idle = try server.connect()
            try idle.send(TestServer.request("GET", "/health"))
            #expect(try await idle.read(until: "}").hasPrefix("HTTP/1.1 200"))
        }
        #expect(fcntl(descriptor, F_GETFD) == -1)
    }

    @Test("a descriptor that is not a socket is refused")
    func noSocket() async throws {
        let folder = try TemporaryFolder()
        let descriptor = open(try folder.write("file", "text"), O_RDONLY)
        await #expect(throws: (any Error).self) {
            try await TestServer.run {
                $0.socket = descriptor
            } _: { _ in
                Issue.record("the server started on a regular file")
            }
        }
    }

    /// A socket listening on the loopback address, and its port.
    private static func listeningSocket() throws -> (descriptor: Int32, port: Int) {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(isListening)
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }
}
#endif

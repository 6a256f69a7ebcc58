#if Server && os(Linux)
import Foundation
import LeapServer
import LeapToolSupport
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@testable import leap

/// What systemd passes to the server, and the notifications that it gets.
@Suite("Service manager")
struct ServiceManagerTests {
    @Test("a socket passed to this process is used, with its address")
    func listeningSocket() throws {
        let folder = try TemporaryFolder()
        let path = "/tmp/leap-\(getpid()).sock"
        defer { unlink(path) }
        let descriptor = try Self.unixSocket(at: path, kind: Self.stream)
        defer { close(descriptor) }
        try #require(listen(descriptor, 4) == 0)
        let environment = ["LISTEN_PID": "77", "LISTEN_FDS": "1"]
        let manager = try ServiceManager(environment, process: 77, first: descriptor)
        #expect(manager.socket?.descriptor == descriptor && manager.socket?.address == .unix(path: path))
        // A socket for another process, or none.
        #expect(try ServiceManager(environment, process: 78, first: descriptor).socket == nil)
        #expect(try ServiceManager([:], process: 77, first: descriptor).socket == nil)
        #expect {
            _ = try ServiceManager(["LISTEN_PID": "77", "LISTEN_FDS": "2"], process: 77, first: descriptor)
        } throws: {
            "\($0)".contains("passed 2 sockets")
        }
        let file = open(try folder.write("file", "text"), O_RDONLY)
        defer { close(file) }
        #expect {
            _ = try ServiceManager(environment, process: 77, first: file)
        } throws: {
            "\($0)".contains("did not pass a listening stream socket")
        }
    }

    @Test("states are sent to a notification socket, in the file system or abstract", arguments: [false, true])
    func notifications(isAbstract: Bool) throws {
        let name = "/tmp/leap-notify-\(getpid())\(isAbstract ? "-abstract" : "")"
        defer { unlink(name) }
        let descriptor = try Self.unixSocket(at: isAbstract ? "@" + name : name, kind: Self.datagram)
        defer { close(descriptor) }
        let manager = try ServiceManager(["NOTIFY_SOCKET": isAbstract ? "@" + name : name], process: 1)
        for state in [ServiceManager.State.ready, .stopping] {
            manager.tell(state)
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == state.rawValue)
        }
        // No error if nothing listens, or no notification is wanted.
        try ServiceManager(["NOTIFY_SOCKET": "/nowhere/socket"], process: 1).tell(.ready)
        try ServiceManager(["NOTIFY_SOCKET": String(repeating: "x", count: 300)], process: 1).tell(.ready)
        try ServiceManager([:], process: 1).tell(.ready)
    }

    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let datagram = Int32(SOCK_DGRAM.rawValue)

    private static func unixSocket(at name: String, kind: Int32) throws -> Int32 {
        let descriptor = socket(AF_UNIX, kind, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = name.hasPrefix("@") ? [0] + Array(name.utf8.dropFirst()) : Array(name.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(2 + bytes.count + (name.hasPrefix("@") ? 0 : 1))
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
        try #require(isBound)
        return descriptor
    }
}
#endif

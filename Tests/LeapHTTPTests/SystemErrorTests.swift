import Foundation
import Testing

@testable import LeapHTTP

/// Errors of sessions and sockets, by their numbers.
struct SystemErrorTests {
    private func error(_ domain: String, _ code: Int) -> TransportError? {
        TransportError(domain: domain, code: code, name: "u", "reason", host: "h")
    }

    @Test(arguments: [NSPOSIXErrorDomain, "kNWErrorDomainPOSIX"])
    func `Errors of sockets say whether the connection was lost or did not come about`(domain: String) {
        for code in [ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN, ENETRESET, ESHUTDOWN] {
            #expect(error(domain, Int(code)) == .connectionLost("u", "reason"), "\(code)")
        }
        for code in [ETIMEDOUT, EHOSTUNREACH, EHOSTDOWN, ENETUNREACH, ENETDOWN, EADDRNOTAVAIL] {
            #expect(error(domain, Int(code)) == .connectionFailed("u", "reason"), "\(code)")
        }
        #expect(error(domain, Int(ECONNREFUSED)) == .connectionRefused("u"))
        #expect(error(domain, Int(EACCES)) == nil)
        #expect(error("another", Int(ECONNRESET)) == nil)
    }

    @Test(arguments: [NSURLErrorDomain, "kCFErrorDomainCFNetwork"])
    func `Errors of sessions that may pass are not final`(domain: String) {
        for code in [-1001, -1009, -1018, -1019, -1020] {
            #expect(error(domain, code) == .connectionFailed("u", "reason"), "\(code)")
        }
        #expect(error(domain, -1003) == .hostNotFound("u", host: "h", "reason"))
        #expect(error(domain, -1004) == .connectionRefused("u"))
        #expect(error(domain, -1005) == .connectionLost("u", "reason"))
        #expect(error(domain, -1202) == .tls("u", "reason"))
        #expect(error(domain, -999) == .shutDown("u"))
        #expect(error(domain, -1) == nil)
    }

    @Test func `Errors of proxies are told from those of servers`() {
        for code in 306...312 { #expect(error("kCFErrorDomainCFNetwork", code) == .proxyFailed("u", "reason")) }
        #expect(error("kCFErrorDomainCFNetwork", 302) == .connectionLost("u", "reason"))
        #expect(error("kCFErrorDomainCFNetwork", 303) == .invalidResponse("u", "reason"))
        #expect(error(NSURLErrorDomain, 310) == nil)
    }

    @Test func `An unknown error is known by its cause, or else keeps its number`() {
        let cause = NSError(domain: NSPOSIXErrorDomain, code: Int(ECONNRESET))
        let outer = NSError(domain: NSURLErrorDomain, code: -1, userInfo: [NSUnderlyingErrorKey: cause])
        guard case .connectionLost("u", _) = TransportError(outer, name: "u") else {
            Issue.record("found \(TransportError(outer, name: "u"))")
            return
        }
        let unknown = TransportError(NSError(domain: "another", code: 7), name: "u")
        guard case .other("u", let reason) = unknown else {
            Issue.record("found \(unknown)")
            return
        }
        #expect(reason.hasSuffix("(another 7)"))
    }
}

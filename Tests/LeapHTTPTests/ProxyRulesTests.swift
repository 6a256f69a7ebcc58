import Foundation
import LeapHTTP
import Testing

struct ProxyRulesTests {
    @Test func `Proxy variables are read as curl reads them`() {
        let rules = ProxyRules(environment: [
            "http_proxy": "http://user:pa%20ss@proxy.example:3128/", "HTTPS_PROXY": "secure.example",
            "no_proxy": "localhost, .internal.example",
        ])
        #expect(rules.http == Proxy(host: "proxy.example", port: 3128, user: "user", password: "pa ss"))
        #expect(rules.https == Proxy(host: "secure.example", port: 80))
        #expect(rules.excluded == ["localhost", ".internal.example"])
    }

    @Test func `HTTP_PROXY in capitals is ignored, as CGI clients can set it`() {
        #expect(ProxyRules(environment: ["HTTP_PROXY": "http://evil.example:1"]) == ProxyRules())
    }

    @Test func `ALL_PROXY applies to both schemes, and empty variables are ignored`() {
        let rules = ProxyRules(environment: ["ALL_PROXY": "proxy:8080", "https_proxy": ""])
        #expect(rules.http == Proxy(host: "proxy", port: 8080))
        #expect(rules.https == Proxy(host: "proxy", port: 8080))
    }

    @Test(arguments: ["http://user@[::1]:3128", "[::1]:3128", "[::1]:3128/"])
    func `The brackets of an IPv6 address are no part of it`(text: String) throws {
        let proxy = try #require(Proxy(text))
        #expect(proxy.host == "::1" && proxy.port == 3128)
        #expect(Proxy(host: "[::1]", port: 3128) == Proxy(host: "::1", port: 3128))
    }

    @Test(arguments: ["", "socks5://proxy:1080", "https://proxy:3128", "http://", "http://proxy:99999"])
    func `A URL that is not a valid HTTP proxy is rejected`(text: String) {
        #expect(Proxy(text) == nil)
    }

    @Test(arguments: [
        ("https_proxy", "https://me:secret@proxy", "found a URL of https"),
        ("HTTPS_PROXY", "socks5h://me:secret@proxy:1080", "found a URL of socks5h"),
        ("all_proxy", "socks5://me:secret@proxy", "found a URL of socks5"),
        ("https_proxy", "http://me:secret@proxy:99999", "found a URL without a valid host and port"),
        ("https_proxy", "me:secret@", "found no URL"),
    ])
    func `A variable with another kind of proxy is an error that names it, but not its password`(
        name: String, value: String, reason: String
    ) throws {
        let rules = ProxyRules(environment: [name: value, "no_proxy": "direct.example"])
        let error = try #require(throws: UnusableProxy.self) {
            try rules.proxy(scheme: "https", host: "example.com", port: 443)
        }
        #expect(error.variable == name.lowercased())
        #expect("\(error)".hasPrefix("\(name.lowercased()) must be an http proxy") && "\(error)".contains(reason))
        #expect("\(error)".contains("SOCKS") && !"\(error)".contains("secret"))
        #expect(try rules.proxy(scheme: "https", host: "direct.example", port: 443) == nil)
    }

    @Test func `A variable that is not used is not checked`() throws {
        let rules = ProxyRules(environment: ["all_proxy": "socks5://proxy", "https_proxy": "proxy:8080"])
        #expect(try rules.proxy(scheme: "https", host: "h", port: 443) == Proxy(host: "proxy", port: 8080))
        #expect(throws: UnusableProxy.self) { try rules.proxy(scheme: "http", host: "h", port: 80) }
    }

    @Test func `The environment configures proxies and certificates`() {
        let configuration = TransportConfiguration(
            environment: ["https_proxy": "proxy:8080", "SSL_CERT_FILE": "/roots.pem"], connectionsPerHost: 3)
        #expect(configuration.proxies.https == Proxy(host: "proxy", port: 8080))
        #expect(configuration.verification == .roots(URL(filePath: "/roots.pem")))
        #expect(configuration.connectionsPerHost == 3)
        #expect(TransportConfiguration(environment: ["SSL_CERT_FILE": ""]) == TransportConfiguration())
    }

    @Test(arguments: [
        ("::1", "[::1]", 443, false), ("::1", "[0:0:0:0:0:0:0:1]", 443, false), ("[::1]", "::1", 443, false),
        ("[::1]:8080", "[::1]", 8080, false), ("[::1]:8080", "[::1]", 443, true), ("::1", "[::2]", 443, true),
        ("127.0.0.0/8", "127.9.9.9", 443, false), ("127.0.0.0/8", "128.0.0.1", 443, true),
        ("10.1.2.0/23", "10.1.3.255", 443, false), ("10.1.2.0/23", "10.1.4.0", 443, true),
        ("10.0.0.1/32", "10.0.0.1", 443, false), ("10.0.0.1/32", "10.0.0.2", 443, true),
        ("0.0.0.0/0", "9.9.9.9", 443, false), ("0.0.0.0/0", "[::1]", 443, true), ("10.0.0.0/33", "10.0.0.0", 443, true),
        ("10.0.0.0/x", "10.0.0.0", 443, true), ("fd00::/8", "[fd12::1]", 443, false),
        ("127.0.0.1", "10.0.0.1", 443, true),
        ("127.0.0.1:80", "127.0.0.1", 443, true), ("0.0.1", "10.0.0.1", 443, true),
    ])
    func `Excluded addresses are compared in every spelling, and networks contain them`(
        rule: String, host: String, port: Int, goesThroughProxy: Bool
    ) throws {
        let rules = ProxyRules(https: Proxy(host: "proxy", port: 1), excluded: [rule])
        #expect((try rules.proxy(scheme: "https", host: host, port: port) != nil) == goesThroughProxy)
    }

    @Test(arguments: [
        ("example.com", 443, false), ("EXAMPLE.com", 443, false), ("a.example.com", 443, false),
        ("notexample.com", 443, true), ("ported.net", 8080, false), ("ported.net", 443, true), ("::1", 443, false),
    ])
    func `Excluded hosts include their subdomains, and with a port only that port`(
        host: String, port: Int, goesThroughProxy: Bool
    ) throws {
        let rules = ProxyRules(
            https: Proxy(host: "proxy", port: 1), excluded: [".example.com", "ported.net:8080", "::1"])
        #expect((try rules.proxy(scheme: "https", host: host, port: port) != nil) == goesThroughProxy)
        #expect(try rules.proxy(scheme: "http", host: host, port: port) == nil)
    }

    @Test func `A star excludes all hosts`() throws {
        let rules = ProxyRules(http: Proxy(host: "proxy", port: 1), excluded: ["*"])
        #expect(try rules.proxy(scheme: "http", host: "anything", port: 80) == nil)
    }
}

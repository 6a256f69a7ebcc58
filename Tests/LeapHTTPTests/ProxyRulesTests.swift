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

    @Test(arguments: ["", "socks5://proxy:1080", "http://", "http://proxy:99999"])
    func `A URL that is not a valid HTTP proxy is rejected`(text: String) {
        #expect(Proxy(text) == nil)
    }

    @Test(arguments: [
        ("example.com", 443, false), ("EXAMPLE.com", 443, false), ("a.example.com", 443, false),
        ("notexample.com", 443, true), ("ported.net", 8080, false), ("ported.net", 443, true), ("::1", 443, false),
    ])
    func `Excluded hosts include their subdomains, and with a port only that port`(
        host: String, port: Int, goesThroughProxy: Bool
    ) {
        let rules = ProxyRules(
            https: Proxy(host: "proxy", port: 1), excluded: [".example.com", "ported.net:8080", "::1"])
        #expect((rules.proxy(scheme: "https", host: host, port: port) != nil) == goesThroughProxy)
        #expect(rules.proxy(scheme: "http", host: host, port: port) == nil)
    }

    @Test func `A star excludes all hosts`() {
        let rules = ProxyRules(http: Proxy(host: "proxy", port: 1), excluded: ["*"])
        #expect(rules.proxy(scheme: "http", host: "anything", port: 80) == nil)
    }
}

import Foundation
import LeapHTTP
import LeapHub
import Testing

struct TextTests {
    static let texts: [(HubError, String)] = [
        (.invalidName("a/b", "it contains a slash"), "'a/b' cannot be used as a name: it contains a slash"),
        (
            .unsafeReference(manifest: "u", "../x", "it points outside the server's root"),
            "u: the file reference '../x' was rejected: it points outside the server's root"
        ),
        (
            .unknownModel("A", available: ["B", "C"]),
            "model 'A' not found. Did you mean 'B'? Available: B, C"
        ),
        (.unknownModel("A", available: []), "model 'A' not found"),
        (
            .unknownModel("A", available: (1...14).map { "M\($0)" }),
            "model 'A' not found. Available: "
                + "M1, M2, M3, M4, M5, M6, M7, M8, M9, M10, M11, M12, and 2 more"
        ),
        (
            .unknownQuantization("Q1", model: "A", available: ["Q2"]),
            "model 'A' has no quantisation 'Q1'. Did you mean 'Q2'? Available: Q2"
        ),
        (
            .unknownModel("lfm2-1.2", available: ["LFM2-1.2B", "Other"]),
            "model 'lfm2-1.2' not found. Did you mean 'LFM2-1.2B'? Available: LFM2-1.2B, Other"
        ),
        (.unresolved("A", ["x", "y"]), "model 'A' could not be resolved: x; y"),
        (.invalidManifest("u", "it has no model"), "u: invalid manifest: it has no model"),
        (
            .unexpectedContent("u", expected: "JSON", found: "nothing"),
            "u: expected JSON, found nothing: check the URL, and whether the network requires a login"
        ),
        (.notFound("u"), "u: not found (404)"),
        (
            .accessDenied("u", status: 401, ""),
            "u: access denied (401): check the name, and set HF_TOKEN if the repository requires an account"
        ),
        (
            .accessDenied("u", status: 403, "gated"),
            "u: access denied (403): gated: accept the conditions on the repository's page, and set "
                + "HF_TOKEN to your account's token"
        ),
        (
            .accessDenied("http://h/u", status: 401, ""),
            "http://h/u: access denied (401): check the name, and set HF_TOKEN if the repository requires an account. "
                + "It is sent by https only, or to this machine"
        ),
        (.status("u", 503, "busy"), "u: the server responded with status 503: busy"),
        (.status("u", 503, ""), "u: the server responded with status 503"),
        (
            .redirectRefused("u", to: "v", "only https is allowed"),
            "u: the redirect to v was not followed: only https is allowed"
        ),
        (.network(.connectionRefused("u")), "u: connection refused: nothing is listening on this port"),
        (.stalled("u", bytes: 5, .seconds(60)), "u: the transfer stalled: only 5 bytes in 60.0 seconds"),
        (.sizeMismatch("u", expected: 5, found: 6), "u: expected 5 bytes, found 6: the file was discarded"),
        (.sha256Mismatch("u", expected: "aa", found: "bb"), "u: expected SHA-256 aa, found bb: the file was discarded"),
        (
            .rangeMismatch("u", expected: "bytes 5-9/10", found: "none"),
            "u: expected the range bytes 5-9/10, found none"
        ),
        (
            .insufficientSpace(URL(filePath: "/d"), need: 1_500_000_000, have: 999),
            "/d: not enough disk space: 1.5 GB needed, 999 bytes free: free up space, "
                + "or choose another disk with LEAP_CACHE"
        ),
        (.file("/d/f", "open", "no such file"), "/d/f: cannot open: no such file"),
        (
            .offline("the model 'A'", available: []),
            "the model 'A' is not on this machine, and network access is disabled"
        ),
        (
            .offline("the model 'A'", available: ["B:Q4_0", "C:Q4_0"]),
            "the model 'A' is not on this machine, and network access is disabled. Did you mean 'B:Q4_0'? Available: "
                + "B:Q4_0, C:Q4_0"
        ),
        (
            .offline("the model 'LFM2-1.2B'", available: ["127.0.0.1-dd85d2a3:manifest"]),
            "the model 'LFM2-1.2B' is not on this machine, and network access is disabled. Available: "
                + "127.0.0.1-dd85d2a3:manifest"
        ),
    ]

    @Test(arguments: texts)
    func `Error messages say what failed, where, what was expected and found`(error: HubError, text: String) {
        #expect("\(error)" == text)
        #expect(error.localizedDescription == text)
    }

    @Test func `Untrusted text in an error is escaped and shortened`() {
        let error = HubError.invalidName("a\nb\u{1B}[31m" + String(repeating: "x", count: 300), "it is long")
        #expect("\(error)".hasPrefix("'a\\u{a}b\\u{1b}[31mxxx"))
        #expect("\(error)".count < 300)
    }
}

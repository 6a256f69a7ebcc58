import Foundation
import LeapHTTP
import LeapHub
import Testing

struct TextTests {
    static let texts: [(HubError, String)] = [
        (.invalidName("a/b", "it has a slash"), "'a/b' cannot be used as a name: it has a slash"),
        (
            .unsafeReference(manifest: "u", "../x", "it leads out of the server's root"),
            "u: the file '../x' is refused: it leads out of the server's root"
        ),
        (
            .unknownModel("A", available: ["B", "C"]),
            "there is no model 'A'. Did you mean 'B'? There are: B, C"
        ),
        (.unknownModel("A", available: []), "there is no model 'A'"),
        (
            .unknownModel("A", available: (1...14).map { "M\($0)" }),
            "there is no model 'A'. Did you mean 'M1'? There are: "
                + "M1, M2, M3, M4, M5, M6, M7, M8, M9, M10, M11, M12, and 2 more"
        ),
        (
            .unknownQuantization("Q1", model: "A", available: ["Q2"]),
            "the model 'A' has no quantisation 'Q1'. Did you mean 'Q2'? There are: Q2"
        ),
        (.unresolved("A", ["x", "y"]), "the model 'A' could not be looked up: x; y"),
        (.invalidManifest("u", "it has no model"), "u: the manifest cannot be used: it has no model"),
        (
            .unexpectedContent("u", expected: "JSON", found: "nothing"),
            "u: expected JSON, found nothing: check the URL, and whether the network asks for a login"
        ),
        (.notFound("u"), "u: there is nothing (404)"),
        (
            .accessDenied("u", status: 401, ""),
            "u: access denied (401): set HF_TOKEN if it needs an account, and check the name"
        ),
        (
            .accessDenied("u", status: 403, "gated"),
            "u: access denied (403): gated: accept its conditions on its page, and set HF_TOKEN to your account's token"
        ),
        (.status("u", 503, "busy"), "u: the server answered 503: busy"),
        (.status("u", 503, ""), "u: the server answered 503"),
        (
            .redirectRefused("u", to: "v", "only https is allowed"),
            "u: the redirect to v is not followed: only https is allowed"
        ),
        (.network(.connectionRefused("u")), "u: the connection was refused: nothing listens at that port"),
        (.stalled("u", bytes: 5, .seconds(60)), "u: stalled: 5 bytes in 60.0 seconds"),
        (.sizeMismatch("u", expected: 5, found: 6), "u: expected 5 bytes, found 6: the file was not kept"),
        (.sha256Mismatch("u", expected: "aa", found: "bb"), "u: expected SHA-256 aa, found bb: the file was not kept"),
        (
            .rangeMismatch("u", expected: "bytes 5-9/10", found: "none"),
            "u: expected the range bytes 5-9/10, found none"
        ),
        (
            .insufficientSpace(URL(filePath: "/d"), need: 1_500_000_000, have: 999),
            "/d: 1.5 GB are needed, 999 bytes are free: make room, or choose another disk by LEAP_CACHE"
        ),
        (.file("/d/f", "open", "no such file"), "/d/f: cannot open: no such file"),
        (
            .offline("the model 'A'", available: []),
            "the model 'A' is not on this machine, and the network is switched off"
        ),
        (
            .offline("the model 'A'", available: ["B:Q4_0", "C:Q4_0"]),
            "the model 'A' is not on this machine, and the network is switched off. Did you mean 'B:Q4_0'? There are: "
                + "B:Q4_0, C:Q4_0"
        ),
    ]

    @Test(arguments: texts)
    func `Errors say what failed, where, what was expected and found`(error: HubError, text: String) {
        #expect("\(error)" == text)
        #expect(error.localizedDescription == text)
    }

    @Test func `What others wrote cannot break a line`() {
        let error = HubError.invalidName("a\nb\u{1B}[31m" + String(repeating: "x", count: 300), "it is long")
        #expect("\(error)".hasPrefix("'a\\u{a}b\\u{1b}[31mxxx"))
        #expect("\(error)".count < 300)
    }
}

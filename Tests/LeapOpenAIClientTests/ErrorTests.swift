import Foundation
import HTTPTypes
import Testing

@testable import LeapOpenAIClient

@Suite("Errors")
struct ErrorTests {
    static let texts: [(OpenAiError, String)] = [
        (.invalidConfiguration("why"), "invalid client configuration: why"),
        (.closed, "the client is closed: create a new one"),
        (
            .refused(url: url, status: 401, .init(text: "Wrong key", code: "invalid_api_key"), retryAfter: nil),
            "\(url) rejected the request with status 401: Wrong key [invalid_api_key] (check the API key)"
        ),
        (
            .refused(url: url, status: 404, .init(text: "No"), retryAfter: nil),
            "\(url) rejected the request with status 404: No (check baseUrl and the model's name)"
        ),
        (
            .refused(url: url, status: 307, .init(text: "No"), retryAfter: nil),
            "\(url) rejected the request with status 307: No (redirects are not followed, to protect "
                + "the API key: set baseUrl to the new address)"
        ),
        (
            .refused(url: url, status: 429, .init(text: "Slow", type: "rate"), retryAfter: .seconds(90)),
            "\(url) rejected the request with status 429: Slow [rate] (retry after 90 s)"
        ),
        (.reported(url: url, .init(text: "code 7", code: "7")), "\(url) reported an error: code 7"),
        (
            .unexpectedResponse(url: url, contentType: "text/html", excerpt: "<p>"),
            "\(url) sent an unexpected response of type text/html: check the URL. The response begins: <p>"
        ),
        (
            .malformed(url: url, reason: "why", excerpt: "{"),
            "\(url) sent an invalid chunk: why, in: {"
        ),
        (.tooLarge(url: url, "why"), "\(url) sent too much data: why"),
        (.cutOff(url: url, "why"), "the answer of \(url) is incomplete: why"),
        (.unreachable("why", attempts: 1), "why"),
        (.unreachable("why", attempts: 3), "why (3 attempts)"),
    ]

    @Test(arguments: texts.indices)
    func `Errors say what failed, where, and what to do`(index: Int) {
        let (error, text) = Self.texts[index]
        #expect("\(error)" == text && error.errorDescription == text && error.localizedDescription == text)
        #expect(ChatCompletionEvent.Error(error).message == text)
    }

    @Test func `Retry delays double up to a limit and have jitter`() {
        let retries = OpenAiRetries(
            count: 100, firstDelay: .seconds(1), longestDelay: .seconds(8), longestRetryAfter: .seconds(60))
        let delays = [1, 2, 3, 4, 5, 100].map { retries.delay(after: $0, asked: nil, jitter: 0) }
        #expect(delays == [1, 2, 4, 8, 8, 8].map { .seconds($0) })
        #expect(retries.delay(after: 1, asked: nil, jitter: 1) == .milliseconds(750))
        #expect(retries.delay(after: 101, asked: nil) == nil)
        #expect(retries.delay(after: 1, asked: .seconds(60)) == .seconds(60))
        #expect(retries.delay(after: 1, asked: .seconds(61)) == nil)
        let longest = OpenAiRetries(count: .max, firstDelay: .seconds(3), longestDelay: .seconds(1 << 62))
        #expect(longest.delay(after: .max, asked: nil, jitter: 0) == .seconds(1 << 62))
        #expect(OpenAiRetries.none.delay(after: 1, asked: .zero) == nil)
    }
}

import Foundation
import HTTPTypes
import Testing

@testable import LeapOpenAIClient

@Suite("Errors")
struct ErrorTests {
    static let texts: [(OpenAiError, String)] = [
        (.invalidConfiguration("why"), "the client's configuration makes no request: why"),
        (.closed, "the client is closed: make a new one"),
        (
            .refused(url: url, status: 401, .init(text: "Wrong key", code: "invalid_api_key"), retryAfter: nil),
            "\(url) refuses with status 401: Wrong key [invalid_api_key] (check the API key)"
        ),
        (
            .refused(url: url, status: 404, .init(text: "No"), retryAfter: nil),
            "\(url) refuses with status 404: No (check baseUrl and the model's name)"
        ),
        (
            .refused(url: url, status: 307, .init(text: "No"), retryAfter: nil),
            "\(url) refuses with status 307: No (redirects are not followed, so that the key goes nowhere else: set baseUrl "
                + "to the new place)"
        ),
        (
            .refused(url: url, status: 429, .init(text: "Slow", type: "rate"), retryAfter: .seconds(90)),
            "\(url) refuses with status 429: Slow [rate] (it asks to wait 90 s)"
        ),
        (.reported(url: url, .init(text: "code 7", code: "7")), "\(url) reports an error: code 7"),
        (
            .unexpectedResponse(url: url, contentType: "text/html", excerpt: "<p>"),
            "\(url) sends no answer but text/html, is it the right URL? It begins: <p>"
        ),
        (
            .malformed(url: url, reason: "why", excerpt: "{"),
            "\(url) sends what is no part of an answer: why, in: {"
        ),
        (.tooLarge(url: url, "why"), "\(url) sends too much: why"),
        (.cutOff(url: url, "why"), "\(url) did not finish its answer: why"),
        (.unreachable("why", attempts: 1), "why"),
        (.unreachable("why", attempts: 3), "why (3 attempts)"),
    ]

    @Test(arguments: texts.indices)
    func `Errors say what failed, where, and what to do`(index: Int) {
        let (error, text) = Self.texts[index]
        #expect("\(error)" == text && error.errorDescription == text && error.localizedDescription == text)
        #expect(ChatCompletionEvent.Error(error).message == text)
    }

    @Test func `Waits double up to a limit, and spread`() {
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

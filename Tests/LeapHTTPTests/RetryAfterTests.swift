import Foundation
import HTTPTypes
import LeapHTTP
import Testing

@Suite struct RetryAfterTests {
    private static let cases: [([String: String], Double?)] = [
        (["Retry-After": "7"], 7.0), (["Retry-After": " 1.5 "], 1.5), (["Retry-After": " 0 "], 0),
        (["retry-after-ms": "250", "Retry-After": "9"], 0.25), (["retry-after-ms": "soon", "Retry-After": "9"], 9),
        (["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"], 30.0), (["Retry-After": "Sun, 06 Nov 1994 08:00:00 GMT"], 0),
        (["Retry-After": "Sunday, 06-Nov-94 08:49:37 GMT"], 30.0), (["Retry-After": "Sun Nov  6 08:49:37 1994"], 30.0),
        (["Retry-After": "Wed Nov 16 08:49:07 1994"], 864_000.0), (["Retry-After": "Sun Nov  6 1994"], nil),
        (["Retry-After": "-1"], nil), (["Retry-After": "soon"], nil), (["Retry-After": "nan"], nil), ([:], nil),
        (["Retry-After": ""], nil), (["Retry-After": "1e300"], 1e9),
    ]

    @Test(arguments: cases)
    func `The delay is read in seconds, in milliseconds or as a date`(fields: [String: String], wait: Double?) throws {
        var headers = HTTPFields()
        for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
        // 1994-11-06 08:49:07 GMT.
        let now = Date(timeIntervalSince1970: 784_111_747)
        #expect(RetryAfter.delay(in: headers, now: now) == wait.map { .seconds($0) })
    }
}

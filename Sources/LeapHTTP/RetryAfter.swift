package import Foundation
package import HTTPTypes

/// How long a server asks to wait: seconds, or a date (RFC 9110, section 10.2.3); OpenAI also sends milliseconds.
package enum RetryAfter {
    private static let milliseconds = HTTPField.Name("retry-after-ms")
    /// The longest delay in seconds. Nobody waits longer, and larger values could overflow.
    private static let longest = 1e9

    /// The wait that the fields of a response ask for, from `now` on; `nil` if they ask for none, or not in a way known
    /// here.
    package static func delay(in fields: HTTPFields, now: Date = Date()) -> Duration? {
        if let name = milliseconds, let text = fields[name], let delay = number(text) {
            return .seconds(delay / 1000)
        }
        guard let text = fields[.retryAfter]?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let delay = number(text) { return .seconds(delay) }
        guard let date = date(text) else { return nil }
        return .seconds(min(max(0, date.timeIntervalSince(now)), longest))
    }

    private static func number(_ text: String) -> Double? {
        guard let number = Double(text), number >= 0 else { return nil }
        return min(number, longest)
    }

    /// The forms of a date, the last two of which are obsolete (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`,
    /// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
    private static let dateFormats = [
        "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy",
    ]

    private static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        // The last form pads the day with a space.
        let text = text.split(separator: " ").joined(separator: " ")
        for format in dateFormats {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) { return date }
        }
        return nil
    }
}

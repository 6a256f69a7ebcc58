import Foundation

/// The `Retry-After` field of RFC 9110, section 10.2.3: seconds, or a date.
enum RetryAfter {
    /// How long to wait from `now` on; nil for what is neither.
    static func duration(_ text: String, now: Date = Date()) -> Duration? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if let seconds = Int64(text) { return seconds < 0 ? nil : .seconds(seconds) }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: text).map { .seconds(max(0, $0.timeIntervalSince(now))) }
    }
}

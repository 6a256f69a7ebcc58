import Foundation
import Synchronization

/// The time as header fields tell it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// The last date, which is valid for a second.
    private static let last = Mutex<(second: Int, text: String)>((0, text(0)))

    /// The time now.
    static var now: String {
        let second = Int(Date.now.timeIntervalSince1970)
        return last.withLock { last in
            if last.second != second { last = (second, text(second)) }
            return last.text
        }
    }

    /// A time in seconds since 1970.
    static func text(_ seconds: Int) -> String {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        let day = "\(days[Int(parts.tm_wday)]), \(pair(parts.tm_mday)) \(months[Int(parts.tm_mon)])"
        let clock = "\(pair(parts.tm_hour)):\(pair(parts.tm_min)):\(pair(parts.tm_sec))"
        return "\(day) \(Int(parts.tm_year) + 1900) \(clock) GMT"
    }

    /// A number as two digits.
    private static func pair(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

import Foundation

/// Python's `strftime` for a time without zone, in the C locale.
struct DateFormat {
    private let format: String

    init(_ format: String) {
        self.format = format
    }

    func text(for date: Date, in timeZone: TimeZone, _ budget: Budget) throws(Failure) -> String {
        let moment = Moment(date, in: timeZone)
        var result = ""
        var rest = format[...].unicodeScalars
        while let scalar = rest.popFirst() {
            guard scalar == "%", !rest.isEmpty else {
                result.unicodeScalars.append(scalar)
                continue
            }
            let part = try directive(&rest, moment)
            try budget.allocate(part)
            result += part
        }
        return result
    }

    /// `%[flags][width][E|O]letter`, with the flags `-` (no padding), `_` (blanks), `0` (zeros) and `^` (capitals).
    private func directive(_ rest: inout Substring.UnicodeScalarView, _ moment: Moment) throws(Failure) -> String {
        let source = rest
        var padding: Unicode.Scalar?
        var isUppercase = false
        while let flag = rest.first, "-_0^#".unicodeScalars.contains(flag) {
            if flag == "^" { isUppercase = true } else if flag != "#" { padding = flag }
            rest.removeFirst()
        }
        var width = 0
        while let digit = rest.first, digit.isASCII, let value = digit.decimalValue {
            width = width * 10 + value
            guard width <= 1024 else { throw .limit(.valueBytes(1024)) }
            rest.removeFirst()
        }
        if let modifier = rest.first, modifier == "E" || modifier == "O" { rest.removeFirst() }
        guard let letter = rest.popFirst(), let field = moment.field(letter) else {
            return "%" + String(source[..<rest.startIndex])
        }
        let text = field.text(padding: padding, width: width)
        return isUppercase ? text.uppercased() : text
    }
}

/// One directive's value before padding.
private enum DateField {
    case text(String)
    case number(Int, width: Int, fill: Unicode.Scalar)

    func text(padding: Unicode.Scalar?, width: Int) -> String {
        switch self {
        case .text(let text):
            let fill = padding == "0" ? "0" : " "
            return String(repeating: fill, count: max(0, width - text.utf8.count)) + text
        case .number(let number, let ownWidth, let ownFill):
            if padding == "-" { return String(number) }
            let fill = padding == "_" ? " " : padding == "0" ? "0" : ownFill
            let digits = String(number)
            return String(repeating: String(fill), count: max(0, max(width, ownWidth) - digits.utf8.count)) + digits
        }
    }
}

/// A point in time, split into fields.
private struct Moment {
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    private let date: Date
    private let year, month, day, hour, minute, second, microsecond: Int
    /// 0 is Sunday.
    private let weekday: Int
    /// Counted from 1.
    private let dayOfYear: Int

    init(_ date: Date, in timeZone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second, .nanosecond, .weekday], from: date)
        self.date = date
        (year, month, day) = (parts.year ?? 0, parts.month ?? 1, parts.day ?? 1)
        (hour, minute, second) = (parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0)
        microsecond = (parts.nanosecond ?? 0) / 1000
        weekday = (parts.weekday ?? 1) - 1
        dayOfYear = calendar.ordinality(of: .day, in: .year, for: date) ?? 1
    }

    private var mondayBasedWeekday: Int { (weekday + 6) % 7 }

    /// ISO 8601: the week with the year's first Thursday is week 1.
    private var isoWeek: (year: Int, week: Int) {
        let week = (dayOfYear - 1 - mondayBasedWeekday + 10) / 7
        if week < 1 { return (year - 1, Self.weeks(in: year - 1)) }
        return week > Self.weeks(in: year) ? (year + 1, 1) : (year, week)
    }

    /// A year has 53 weeks if it ends on a Thursday, or begins on one, so that the year before ends on a Wednesday.
    private static func weeks(in year: Int) -> Int {
        func lastWeekday(_ year: Int) -> Int { (year + year / 4 - year / 100 + year / 400) % 7 }
        return lastWeekday(year) == 4 || lastWeekday(year - 1) == 3 ? 53 : 52
    }

    private func two(_ number: Int) -> DateField { .number(number, width: 2, fill: "0") }

    func field(_ letter: Unicode.Scalar) -> DateField? {
        clock(letter) ?? calendar(letter) ?? combined(letter)
    }

    private func clock(_ letter: Unicode.Scalar) -> DateField? {
        let twelve = (hour + 11) % 12 + 1
        switch letter {
        case "H": return two(hour)
        case "I": return two(twelve)
        case "k": return .number(hour, width: 2, fill: " ")
        case "l": return .number(twelve, width: 2, fill: " ")
        case "M": return two(minute)
        case "S": return two(second)
        case "f": return .number(microsecond, width: 6, fill: "0")
        case "p": return .text(hour < 12 ? "AM" : "PM")
        case "P": return .text(hour < 12 ? "am" : "pm")
        case "z", "Z": return .text("")
        case "s": return .number(Int(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0, width: 1, fill: "0")
        default: return nil
        }
    }

    private func calendar(_ letter: Unicode.Scalar) -> DateField? {
        switch letter {
        case "a": return .text(String(Self.weekdays[weekday].prefix(3)))
        case "A": return .text(Self.weekdays[weekday])
        case "b", "h": return .text(String(Self.months[month - 1].prefix(3)))
        case "B": return .text(Self.months[month - 1])
        case "d": return two(day)
        case "e": return .number(day, width: 2, fill: " ")
        case "m": return two(month)
        case "y": return two(year % 100)
        case "Y": return .number(year, width: 1, fill: "0")
        case "C": return two(year / 100)
        case "G": return .number(isoWeek.year, width: 1, fill: "0")
        case "g": return two(isoWeek.year % 100)
        case "j": return .number(dayOfYear, width: 3, fill: "0")
        case "u": return .number(weekday == 0 ? 7 : weekday, width: 1, fill: "0")
        case "w": return .number(weekday, width: 1, fill: "0")
        case "U": return two((dayOfYear + 6 - weekday) / 7)
        case "W": return two((dayOfYear + 6 - mondayBasedWeekday) / 7)
        case "V": return two(isoWeek.week)
        default: return nil
        }
    }

    private func combined(_ letter: Unicode.Scalar) -> DateField? {
        switch letter {
        case "c": return join("a", " ", "b", " ", "e", " ", "T", " ", "Y")
        case "D", "x": return join("m", "/", "d", "/", "y")
        case "F": return join("Y", "-", "m", "-", "d")
        case "T", "X": return join("H", ":", "M", ":", "S")
        case "R": return join("H", ":", "M")
        case "r": return join("I", ":", "M", ":", "S", " ", "p")
        case "n": return .text("\n")
        case "t": return .text("\t")
        case "%": return .text("%")
        default: return nil
        }
    }

    private func join(_ parts: Unicode.Scalar...) -> DateField {
        .text(parts.map { field($0)?.text(padding: nil, width: 0) ?? String($0) }.joined())
    }
}

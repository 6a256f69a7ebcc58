import Foundation
import LeapSDK

/// The current time, which the model cannot know by itself.
enum Clock {
    /// The function's declaration for the model.
    static let function = LeapFunction(
        name: "get_time", description: "Get the time in a city",
        parameters: [LeapFunctionParameter(name: "city", type: .string(StringType()), description: "The city")])

    private struct Query: Decodable {
        let city: String
    }

    /// The result of a call, as a sentence for the model.
    static func result(of call: LeapFunctionCall, at date: Date = Date()) throws -> String {
        let city = try call.decodeArguments(as: Query.self).city
        guard let zone = zone(of: city) else { return "The time in \(city) is not known" }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let time = calendar.dateComponents([.hour, .minute], from: date)
        return String(format: "%02d:%02d", time.hour ?? 0, time.minute ?? 0)
    }

    /// The time zone named after a city, such as Europe/Rome.
    private static func zone(of city: String) -> TimeZone? {
        let name = "/" + city.replacingOccurrences(of: " ", with: "_")
        return TimeZone.knownTimeZoneIdentifiers.first { $0.hasSuffix(name) }.flatMap(TimeZone.init(identifier:))
    }
}

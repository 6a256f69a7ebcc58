import LeapGeneration
import Testing

@testable import LeapEngine
@testable import leap

/// What `/set` changes.
@Suite struct ChatSettingTests {
    private static let untouched = ChatRequest([], AnswerOptions())

    /// A request as text for comparison, since its dialect cannot be compared.
    private static func text(of request: ChatRequest) -> String { String(reflecting: request) }

    /// A setting's value as it is shown, for a model that recommends none.
    private static func shown(_ setting: ChatSetting, _ request: ChatRequest) -> String {
        setting.value(request, request.options.sampling.applied(to: SamplerConfiguration()) { _ in [] })
    }

    @Test(
        "Every valid value is applied and shown, and 'default' resets it",
        arguments: [
            ("temp", "0.5", "0.5"), ("temperature", "0", "0.0"), ("top_k", "40", "40"), ("top-p", "1", "1.0"),
            ("MIN_P", "0.05", "0.05"), ("--repeat-penalty", "1.1", "1.1"), ("frequency_penalty", "-0.5", "-0.5"),
            ("presence_penalty", "0.5", "0.5"), ("seed", "18446744073709551615", "18446744073709551615"),
            ("predict", "7", "7"), ("n", "0", "0"), ("think", "off", "off"), ("thinking_budget", "100", "100"),
        ])
    func values(name: String, text: String, shown: String) throws {
        let setting = try #require(ChatSetting.named(name))
        var request = Self.untouched
        let isTaken = setting.set(&request, text)
        #expect(isTaken)
        #expect(Self.text(of: request) != Self.text(of: Self.untouched))
        #expect(Self.shown(setting, request) == shown)
        let isTakenBack = setting.set(&request, "default")
        #expect(isTakenBack)
        #expect(Self.text(of: request) == Self.text(of: Self.untouched))
        #expect(Self.shown(setting, request) == Self.shown(setting, Self.untouched))
    }

    @Test(
        "Invalid values are rejected and change nothing",
        arguments: [
            ("temp", "-1"), ("temp", "hot"), ("temp", "nan"), ("temp", "inf"), ("temp", ""), ("top_k", "-1"),
            ("top_k", "1.5"),
            ("top_p", "1.5"), ("min_p", "-0.1"), ("repeat_penalty", "0"), ("seed", "-2"),
            ("seed", "18446744073709551616"),
            ("predict", "-2"), ("think", "maybe"), ("thinking_budget", "99999999999999999999"),
        ])
    func refused(name: String, text: String) throws {
        let setting = try #require(ChatSetting.named(name))
        var request = Self.untouched
        let isTaken = setting.set(&request, text)
        #expect(!isTaken)
        #expect(Self.text(of: request) == Self.text(of: Self.untouched))
    }

    @Test("Setting names are unique, and an unknown name suggests the nearest")
    func names() {
        let names = ChatSetting.all.flatMap { [$0.name] + $0.aliases }
        #expect(Set(names).count == names.count)
        #expect(ChatSetting.named("tmp") == nil)
        #expect(ChatSetting.suggestion(for: "tmp") == "temp")
        #expect(ChatSetting.suggestion(for: "colour") == nil)
    }
}

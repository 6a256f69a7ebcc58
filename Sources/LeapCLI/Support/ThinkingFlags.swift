import ArgumentParser
import LeapJSON
import LeapEngine

/// Whether and how a model thinks before it answers.
struct ThinkingFlags: ParsableArguments {
    @Flag(
        name: [.customLong("think"), .customLong("thinking")], inversion: .prefixedNo,
        help: "Turn reasoning on or off (default: the model's).")
    private var thinking: Bool?

    @Option(
        name: [.customLong("rea", withSingleDash: true), .customLong("reasoning")],
        help: "The same, given as on, off or auto.")
    private var reasoning: Switch?

    @Option(
        help: ArgumentHelp(
            "Reasoning effort: low, medium, high, or another level that the chat template supports.", valueName: "level"
        ))
    private var reasoningEffort: String?

    @Option(
        name: [.customLong("thinking-budget"), .customLong("reasoning-budget")], parsing: .unconditional,
        help: "Maximum number of reasoning tokens (-1: no limit).")
    private var budget = -1

    @Option(help: "Where reasoning goes: separate from the answer (auto, deepseek), or into it (none).")
    private var reasoningFormat = Format.auto

    /// The value of a three-state flag.
    enum Switch: String, ExpressibleByArgument, CaseIterable {
        case on, off, auto
    }

    /// The destination of reasoning text.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case auto, deepseek, none
    }

    func validate() throws {
        if budget < -1 { throw ValidationError("--thinking-budget must be -1 or more, not \(budget).") }
        if thinking != nil && reasoning != nil {
            throw ValidationError("Give either --think or --reasoning, not both.")
        }
    }

    /// Whether reasoning was turned on or off.
    private var isOn: Bool? { thinking ?? (reasoning == .on ? true : reasoning == .off ? false : nil) }

    /// The level of effort; `nil` for the template's own.
    private var effort: String? { reasoningEffort == "default" ? nil : reasoningEffort }

    /// The flag that turns reasoning on or off.
    private var switchName: String {
        thinking.map { $0 ? "--think" : "--no-think" } ?? "--reasoning"
    }

    /// The given flags that apply only to reasoning.
    var given: [String] {
        [(switchName, isOn != nil), ("--reasoning-effort", effort != nil), ("--thinking-budget", budget >= 0)]
            .filter(\.1).map(\.0)
    }

    /// Which flags have no effect, and why.
    func notes(_ probe: TemplateProbe) -> [String] {
        var notes: [String] = []
        let thinksFirst = probe.isConstrained && probe.mentionsThoughts
        if isOn != nil, !thinksFirst, probe.isSame({ $0.thinks = true }, { $0.thinks = false }) {
            notes.append("\(switchName) has no effect: the chat template cannot turn reasoning on or off")
        }
        // A template may test for some levels only, so prompts of two levels say too little.
        if effort != nil, !probe.mentions(Self.effortVariable) {
            notes.append("--reasoning-effort has no effect: the chat template has no levels of effort")
        }
        if budget >= 0, !probe.mentionsThoughts {
            notes.append(
                "--thinking-budget has no effect unless the model reasons, which its chat template does not show")
        }
        return notes
    }

    /// The template's variable for the level of effort.
    private static let effortVariable = "reasoning_effort"

    /// Applies the flags to a generation.
    func apply(to request: inout ChatRequest) {
        request.thinks = isOn
        request.options.inlinesThoughts = reasoningFormat == .none
        if budget >= 0 { request.options.thinkingBudget = budget }
        if let effort { request.templateVariables[Self.effortVariable] = .string(effort) }
    }
}

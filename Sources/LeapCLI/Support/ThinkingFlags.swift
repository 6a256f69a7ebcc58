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

    /// Applies the flags to a generation.
    func apply(to request: inout ChatRequest) {
        let isOn: Bool? = thinking ?? (reasoning == .on ? true : reasoning == .off ? false : nil)
        request.thinks = isOn
        request.options.inlinesThoughts = reasoningFormat == .none
        if budget >= 0 { request.options.thinkingBudget = budget }
        if let reasoningEffort, reasoningEffort != "default" {
            request.templateVariables["reasoning_effort"] = .string(reasoningEffort)
        }
    }
}

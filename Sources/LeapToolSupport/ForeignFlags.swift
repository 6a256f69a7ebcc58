import ArgumentParser
import Foundation

/// Accepts the flags of ``ForeignFlag`` on the command line, and reports what they do. They are not part of the help.
package struct ForeignFlags: ParsableArguments {
    @Option(
        name: ForeignFlag.specification(takingValue: true), parsing: .unconditionalSingleValue, help: .hidden)
    private var values: [String] = []

    @Flag(name: ForeignFlag.specification(takingValue: false), help: .hidden)
    private var switches: Int

    @Option(
        name: [.customLong("fa", withSingleDash: true), .customLong("flash-attn")], defaultAsFlag: Toggle.on,
        parsing: .next, help: .hidden)
    private var flashAttention: Toggle?

    @Option(
        name: [.customLong("co", withSingleDash: true), .customLong("color")], defaultAsFlag: Toggle.on,
        parsing: .next, help: .hidden)
    private var color: Toggle?

    /// Flags with their default values.
    package init() {}

    /// Reports once which of the flags have no effect.
    ///
    /// - Throws: A usage error for an unsupported one.
    package func heed(arguments: [String] = ForeignFlag.arguments) throws {
        let given = given(in: arguments)
        for (name, flag) in given {
            guard case .refused(let reason) = flag.effect else { continue }
            throw ValidationError("\(name) is not supported: \(reason).")
        }
        var reasons = given.compactMap { name, flag -> (name: String, reason: String)? in
            guard case .none(let reason) = flag.effect else { return nil }
            return (name, reason)
        }
        if flashAttention == .off { reasons.append(("-fa off", "attention is always computed in tiles")) }
        if color == .on { reasons.append(("--color", "answers are not coloured")) }
        if let note = Self.note(reasons) { Console.error("note: \(note)") }
    }

    /// One sentence about flags and why they have no effect, grouped by reason.
    package static func note(_ flags: [(name: String, reason: String)]) -> String? {
        var groups: [(reason: String, names: [String])] = []
        for (name, reason) in flags {
            let known = groups.firstIndex { $0.reason == reason }
            if known == nil { groups.append((reason, [])) }
            let index = known ?? groups.count - 1
            if !groups[index].names.contains(name) { groups[index].names.append(name) }
        }
        guard let first = groups.first else { return nil }
        if groups.count == 1 {
            return
                "\(first.names.joined(separator: ", ")) \(first.names.count == 1 ? "has" : "have") no effect: \(first.reason)"
        }
        let parts = groups.map { "\($0.names.joined(separator: ", ")) (\($0.reason))" }
        return "these have no effect: \(parts.joined(separator: "; "))"
    }

    /// The flags as they were typed. The parser reports their values and how many had none, but not their names; the
    /// values distinguish them from arguments that only look like flags.
    private func given(in arguments: [String]) -> [(name: String, flag: ForeignFlag)] {
        var values = values[...]
        var switches = switches
        var result: [(name: String, flag: ForeignFlag)] = []
        for (index, argument) in arguments.enumerated().dropFirst() {
            let name = argument.prefix { $0 != "=" }
            guard let flag = ForeignFlag.named(name) else { continue }
            if flag.takesValue {
                let value = name.count < argument.count ? String(argument.dropFirst(name.count + 1)) : nil
                let next = index + 1 < arguments.count ? arguments[index + 1] : nil
                guard let expected = values.first, (value ?? next) == expected else { continue }
                values.removeFirst()
            } else {
                guard switches > 0 else { continue }
                switches -= 1
            }
            result.append((String(name), flag))
        }
        return result
    }
}

/// The values of a flag that takes a word in llama.cpp, but used to take none.
private enum Toggle: String, ExpressibleByArgument, CaseIterable {
    case on, off, auto

    init?(argument: String) {
        switch argument.lowercased() {
        case "on", "1", "true", "enabled": self = .on
        case "off", "0", "false", "disabled": self = .off
        case "auto", "-1": self = .auto
        default: return nil
        }
    }
}

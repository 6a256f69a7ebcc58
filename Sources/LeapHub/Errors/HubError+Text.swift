public import Foundation

extension HubError: CustomStringConvertible, LocalizedError {
    /// Says what failed, where, what was expected, what was found and what to do about it.
    public var description: String {
        switch self {
        case .invalidName(let name, let reason): "'\(name.escaped)' cannot be used as a name: \(reason)"
        case .unsafeReference(let manifest, let reference, let reason):
            "\(manifest): the file '\(reference.escaped)' is refused: \(reason)"
        case .unknownModel(let name, let available):
            "there is no model '\(name.escaped)'\(Self.alternatives(available))"
        case .unknownQuantization(let quantization, let model, let available):
            "the model '\(model.escaped)' has no quantisation '\(quantization.escaped)'\(Self.alternatives(available))"
        case .unresolved(let name, let reasons):
            "the model '\(name.escaped)' could not be looked up: \(reasons.joined(separator: "; "))"
        case .invalidManifest(let url, let reason): "\(url): the manifest cannot be used: \(reason)"
        case .unexpectedContent(let url, let expected, let found):
            "\(url): expected \(expected), found \(found): check the URL, and whether the network asks for a login"
        case .notFound(let url): "\(url): there is nothing (404)"
        case .accessDenied(let url, let status, let words): Self.accessDenied(url, status, words)
        case .status(let url, let code, let words):
            "\(url): the server answered \(code)\(words.isEmpty ? "" : ": \(words)")"
        case .redirectRefused(let url, let target, let reason):
            "\(url): the redirect to \(target) is not followed: \(reason)"
        case .network(let error): "\(error)"
        case .stalled(let url, let bytes, let time): "\(url): stalled: \(bytes) bytes in \(time)"
        case .sizeMismatch(let url, let expected, let found):
            "\(url): expected \(expected) bytes, found \(found): the file was not kept"
        case .sha256Mismatch(let url, let expected, let found):
            "\(url): expected SHA-256 \(expected), found \(found): the file was not kept"
        case .incomplete(let url, let reason): "\(url): the file is not whole: \(reason)"
        case .unsupportedArchitecture(let url, let name, let supported):
            "\(url): architecture '\(name.escaped)' is not supported. Supported: \(supported.joined(separator: ", ")). "
                + "The file was not downloaded, which a forced download does nevertheless"
        case .givenUp(let url, let restarts, let received, let size, let last):
            "\(url): given up after it was begun anew \(restarts) times, and \(received.asBytes) arrived"
                + "\(size.map { " of a file of \($0.asBytes)" } ?? ""): the server sends something else every time, or "
                + "loses the connection: \(last)"
        case .rangeMismatch(let url, let expected, let found):
            "\(url): expected the range \(expected), found \(found)"
        case .insufficientSpace(let folder, let need, let have):
            "\(folder.path): \(need.asBytes) are needed, \(have.asBytes) are free: make room, or choose another disk by "
                + "LEAP_CACHE"
        case .file(let path, let action, let reason): "\(path): cannot \(action): \(reason)"
        case .offline(let what, let available):
            "\(what) is not on this machine, and the network is switched off\(Self.alternatives(available))"
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }

    private static func accessDenied(_ url: String, _ status: Int, _ words: String) -> String {
        let advice =
            status == 401
            ? "set HF_TOKEN if it needs an account, and check the name"
            : "accept its conditions on its page, and set HF_TOKEN to your account's token"
        return "\(url): access denied (\(status))\(words.isEmpty ? "" : ": \(words)"): \(advice)"
    }

    private static func alternatives(_ names: [String]) -> String {
        guard let first = names.first else { return "" }
        let shown = names.prefix(12).joined(separator: ", ")
        let more = names.count > 12 ? ", and \(names.count - 12) more" : ""
        return ". Did you mean '\(first)'? There are: \(shown)\(more)"
    }
}

extension String {
    /// The text without line breaks and control characters, and not longer than a line, because it is untrusted.
    var escaped: String {
        let visible = unicodeScalars.prefix(200).map { scalar in
            scalar.properties.generalCategory == .control ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
        return visible.joined() + (unicodeScalars.count > 200 ? "…" : "")
    }
}

extension Int64 {
    /// The number of bytes as text, such as "1.2 GB".
    var asBytes: String {
        let units = ["bytes", "KB", "MB", "GB", "TB"]
        var value = Double(self)
        var unit = 0
        while abs(value) >= 1000, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return unit == 0 ? "\(self) bytes" : String(format: "%.1f ", value) + units[unit]
    }
}

extension String {
    /// The text, which need not be a valid URL, without its query, which may contain secrets.
    var withoutQuery: String { firstIndex(of: "?").map { self[..<$0] + "?…" } ?? self }
}

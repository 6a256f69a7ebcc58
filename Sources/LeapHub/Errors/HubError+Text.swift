public import Foundation
import LeapJSON

extension HubError: CustomStringConvertible, LocalizedError {
    /// Says what failed, where, what was expected, what was found and what to do about it.
    public var description: String {
        switch self {
        case .invalidName(let name, let reason): "'\(name.escaped)' cannot be used as a name: \(reason)"
        case .unsafeReference(let manifest, let reference, let reason):
            "\(manifest): the file reference '\(reference.escaped)' was rejected: \(reason)"
        case .unknownModel(let name, let available):
            "model '\(name.escaped)' not found\(Self.alternatives(to: name, available))"
        case .unknownQuantization(let quantization, let model, let available):
            "model '\(model.escaped)' has no quantisation '\(quantization.escaped)'"
                + Self.alternatives(to: quantization, available)
        case .unresolved(let name, let reasons):
            "model '\(name.escaped)' could not be resolved: \(reasons.joined(separator: "; "))"
        case .invalidManifest(let url, let reason): "\(url): invalid manifest: \(reason)"
        case .unexpectedContent(let url, let expected, let found):
            "\(url): expected \(expected), found \(found): check the URL, and whether the network requires a login"
        case .notFound(let url): "\(url): not found (404)"
        case .accessDenied(let url, let status, let words): Self.accessDenied(url, status, words)
        case .status(let url, let code, let words):
            "\(url): the server responded with status \(code)\(words.isEmpty ? "" : ": \(words)")"
        case .redirectRefused(let url, let target, let reason):
            "\(url): the redirect to \(target) was not followed: \(reason)"
        case .network(let error): "\(error)"
        case .stalled(let url, let bytes, let time): "\(url): the transfer stalled: only \(bytes) bytes in \(time)"
        case .sizeMismatch(let url, let expected, let found):
            "\(url): expected \(expected) bytes, found \(found): the file was discarded"
        case .sha256Mismatch(let url, let expected, let found):
            "\(url): expected SHA-256 \(expected), found \(found): the file was discarded"
        case .incomplete(let url, let reason): "\(url): the file is incomplete: \(reason)"
        case .unsupportedArchitecture(let url, let name, let supported):
            "\(url): architecture '\(name.escaped)' is not supported. Supported: \(supported.joined(separator: ", ")). "
                + "The file was not downloaded; force the download to get it anyway"
        case .givenUp(let url, let restarts, let received, let size, let last):
            "\(url): download abandoned after \(restarts) restarts and \(received.asBytes)"
                + "\(size.map { " of a file of \($0.asBytes)" } ?? ""): the server sends different content each "
                + "time, or drops the connection. Last error: \(last)"
        case .rangeMismatch(let url, let expected, let found):
            "\(url): expected the range \(expected), found \(found)"
        case .insufficientSpace(let folder, let need, let have):
            "\(folder.path): not enough disk space: \(need.asBytes) needed, \(have.asBytes) free: free up space, "
                + "or choose another disk with LEAP_CACHE"
        case .file(let path, let action, let reason): "\(path): cannot \(action): \(reason)"
        case .offline(let what, let available):
            "\(what) is not on this machine, and network access is disabled"
                + Self.alternatives(to: Self.quoted(what), available)
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }

    private static func accessDenied(_ url: String, _ status: Int, _ words: String) -> String {
        let advice =
            status == 401
            ? "check the name, and set HF_TOKEN if the repository requires an account"
            : "accept the conditions on the repository's page, and set HF_TOKEN to your account's token"
        let rule = url.hasPrefix("http:") ? ". It is sent by https only, or to this machine" : ""
        return "\(url): access denied (\(status))\(words.isEmpty ? "" : ": \(words)"): \(advice)\(rule)"
    }

    /// - Parameter names: What there is, most similar first.
    private static func alternatives(to name: String, _ names: [String]) -> String {
        guard let first = names.first else { return "" }
        let isMeant = [first, withoutQuantization(first)].contains {
            [$0.lowercased()].closest(to: name.lowercased()) != nil
        }
        let suggestion = isMeant ? "Did you mean '\(first)'? " : ""
        let shown = names.prefix(12).joined(separator: ", ")
        let more = names.count > 12 ? ", and \(names.count - 12) more" : ""
        return ". \(suggestion)Available: \(shown)\(more)"
    }

    /// A name as one types it without knowing which quantisations there are.
    private static func withoutQuantization(_ name: String) -> String {
        guard let colon = name.lastIndex(of: ":"), name[..<colon] != "hf" else { return name }
        return String(name[..<colon])
    }

    /// The name in a text such as "the model 'LFM2-1.2B'".
    private static func quoted(_ text: String) -> String {
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return parts.count == 3 ? String(parts[1]) : text
    }
}

extension String {
    /// The text without line breaks and control characters, and not longer than a line, because it is untrusted.
    var escaped: String {
        let visible = unicodeScalars.prefix(200).map { scalar in
            scalar.isInvisible ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
        return visible.joined() + (unicodeScalars.count > 200 ? "…" : "")
    }
}

extension Unicode.Scalar {
    /// Whether it is a control or format character or a line separator, which can change how the text around it looks.
    var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
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

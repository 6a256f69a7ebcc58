public import Foundation
import LeapHTTP

/// A reference to a model: a name, a repository or a manifest.
public enum ModelReference: Hashable, Sendable {
    /// A model of the vendor and its quantisation; `nil` for the default one.
    case named(String, quantization: String?)
    /// A Hugging Face repository, such as `org/name`, and the quantisation of one of its files; `nil` for the default
    /// one.
    case repository(String, quantization: String?)
    /// The URL of a manifest.
    case manifest(URL)

    /// Parses a user's input: `NAME`, `NAME:QUANT`, `hf:org/repo`, `hf:org/repo:QUANT`, or the URL of a manifest.
    ///
    /// - Throws: ``HubError/invalidName(_:_:)`` if it is none of these.
    public init(_ text: String) throws(HubError) {
        if text.contains("://") {
            guard let url = URL(string: text) else { throw .invalidName(text.withoutQuery, "it is not a URL") }
            self = .manifest(url)
            return
        }
        let isRepository = text.hasPrefix("hf:")
        let parts = text.dropFirst(isRepository ? 3 : 0).split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let quantization = parts.count > 1 ? String(parts[1]) : nil
        if let quantization { _ = try FileName(quantization) }
        if isRepository {
            try Self.checkRepository(name)
            self = .repository(name, quantization: quantization)
        } else {
            _ = try FileName(name)
            self = .named(name, quantization: quantization)
        }
    }

    /// The quantisation that was asked for; `nil` if none was.
    var quantization: String? {
        switch self {
        case .named(_, let quantization), .repository(_, let quantization): quantization
        case .manifest: nil
        }
    }

    /// The two names of a repository, checked.
    @discardableResult
    static func checkRepository(_ name: String) throws(HubError) -> (owner: FileName, name: FileName) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw .invalidName(name, "a repository must have the form hf:owner/name[:quantisation]")
        }
        return (try FileName(String(parts[0])), try FileName(String(parts[1])))
    }
}

extension ModelReference: CustomStringConvertible {
    /// The reference as a user would type it; the URL of a manifest is shown without possible secrets.
    public var description: String {
        switch self {
        case .named(let name, let quantization): name + (quantization.map { ":\($0)" } ?? "")
        case .repository(let name, let quantization): "hf:" + name + (quantization.map { ":\($0)" } ?? "")
        case .manifest(let url): url.withoutSecrets
        }
    }
}

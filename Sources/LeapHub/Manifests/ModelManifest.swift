public import Foundation
public import LeapJSON
import OrderedCollections

/// A manifest, which lists the files of a model and recommends settings: a JSON document, of which all values are kept,
/// including unknown ones.
public struct ModelManifest: Hashable, Sendable {
    /// The document.
    public let json: JSONValue

    /// The maximum size of a manifest in bytes; the vendor's have a few thousand.
    public static let maximumSize = 4 << 20

    /// Reads a manifest. `source` is its URL or path, for error messages.
    ///
    /// - Throws: ``HubError/unexpectedContent(_:expected:found:)`` or ``HubError/invalidManifest(_:_:)``.
    public init(_ bytes: Data, source: String) throws(HubError) {
        try self.init(json: JSONValue(bytes, source: source), source: source)
    }

    init(json: JSONValue, source: String) throws(HubError) {
        self.json = json
        guard let parameters = json["load_time_parameters"] else {
            throw .invalidManifest(source, "it has no 'load_time_parameters'")
        }
        for role in ModelFileRole.allCases {
            switch parameters[role.rawValue] {
            case nil where role == .model:
                throw .invalidManifest(source, "its 'load_time_parameters' has no 'model'")
            case nil, .null?: continue
            case .string?: continue
            case let value?:
                throw .invalidManifest(source, "'\(role.rawValue)' must be a string, found \(value.kind)")
            }
        }
        guard reference(to: .model)?.isEmpty == false else {
            throw .invalidManifest(source, "its 'load_time_parameters' has no 'model'")
        }
    }

    /// The version of the schema; "1.0.0" if not specified.
    public var schemaVersion: String { json["schema_version"]?.string ?? "1.0.0" }

    /// The kind of model, such as `llama.cpp/text-to-text`.
    public var inferenceType: String { json["inference_type"]?.string ?? "llama.cpp/text-to-text" }

    /// The chat template that replaces the one in the model file; `nil` to keep that one.
    public var chatTemplate: String? { parameters["chat_template"]?.string }

    /// The URL that the manifest was downloaded from.
    public var originalUrl: String? { json["original_url"]?.string }

    /// The path of the manifest on this machine.
    public var pathOnDisk: String? { json["path_on_disk"]?.string }

    /// Returns a recommended sampling parameter, such as `temperature`; `nil` if not specified.
    public func samplingParameter(_ name: String) -> Double? {
        json["generation_time_parameters"]?["sampling_parameters"]?[name]?.double
    }

    /// The recommended number of threads for decoding; `nil` if not specified.
    public var numberOfDecodingThreads: Int? {
        json["generation_time_parameters"]?["number_of_decoding_threads"]?.int64.flatMap { Int(exactly: $0) }
    }

    /// Returns the manifest's reference to a file: a URL, absolute or relative to that of the manifest.
    public func reference(to role: ModelFileRole) -> String? { parameters[role.rawValue]?.string }

    private var parameters: JSONValue { json["load_time_parameters"] ?? .null }
}

extension ModelManifest {
    /// The manifest with other references to its files, and other members of the document.
    func replacing(references: [ModelFileRole: String], members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        guard case .object(var document) = json, case .object(var parameters)? = json["load_time_parameters"] else {
            return json
        }
        for role in ModelFileRole.allCases {
            if let reference = references[role] { parameters[role.rawValue] = .string(reference) }
        }
        document["load_time_parameters"] = .object(parameters)
        for (key, value) in members { document[key] = value }
        return .object(document)
    }
}

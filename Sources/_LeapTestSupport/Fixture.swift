public import Foundation

/// A tiny model of `Fixtures/` with the reference results of an independent implementation.
public struct Fixture: Sendable, CustomStringConvertible {
    /// The file's name without extension.
    public let name: String

    /// The repository's `Fixtures/` folder.
    public static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    /// All models of the folder, by name.
    public static let all: [Fixture] = {
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "gguf" }
            .map { Fixture(name: $0.deletingPathExtension().lastPathComponent) }.sorted { $0.name < $1.name }
    }()

    /// The fixture of a name.
    public init(name: String) { self.name = name }

    /// The model file's path.
    public var path: String { Self.folder.appendingPathComponent(name + ".gguf").path }

    /// The model file's name, for the list of test cases.
    public var description: String { name }
}

/// The reference results of a fixture.
public struct FixtureReference: Sendable {
    /// One prompt and its reference results.
    public struct Prompt: Decodable, Sendable {
        /// The prompt's description.
        public let name: String
        /// Its token ids.
        public let tokens: [Int32]
        /// Logits of the last position.
        public let logits: Place
        /// Logits of all positions, `[tokens, vocabulary]`.
        public let allLogits: Place?
        /// The residual stream after every layer, `[layers, tokens, embedding]`.
        public let residualStream: Place?
        /// The ids that follow, each the most likely.
        public let greedy: [Int32]
        /// The margin of the most likely id over the second, as a difference of logits.
        public let margins: [Float]
        /// Root-mean-square error of llama.cpp's logits against the exact ones; `nil` if it has not been measured.
        public let measuredError: Double?
        /// The same, or 0; a test then permits only its minimum tolerance.
        public var llamaCppError: Double { measuredError ?? 0 }

        private enum CodingKeys: String, CodingKey {
            case name, tokens, logits, allLogits, residualStream, greedy, margins
            case measuredError = "llamaCppError"
        }
    }

    /// The range of an array in the data file, in floats.
    public struct Place: Decodable, Sendable {
        /// Floats before it.
        public let offset: Int
        /// Its shape.
        public let shape: [Int]
    }

    private struct Index: Decodable { let prompts: [Prompt] }

    /// All prompts.
    public let prompts: [Prompt]
    private let data: [Float]

    /// Reads the figures of a fixture.
    public init(of fixture: Fixture) throws {
        let base = Fixture.folder.appendingPathComponent(fixture.name)
        let index = try Data(contentsOf: base.appendingPathExtension("json"))
        prompts = try JSONDecoder().decode(Index.self, from: index).prompts
        data = try Self.floats(in: base.appendingPathExtension("f32.bin"))
    }

    /// All numbers of a data file.
    public static func floats(in file: URL) throws -> [Float] {
        let bytes = try Data(contentsOf: file)
        return bytes.withUnsafeBytes { raw in
            stride(from: 0, to: raw.count - 3, by: 4).map {
                Float(bitPattern: UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: $0, as: UInt32.self)))
            }
        }
    }

    /// An array of the data file.
    public func floats(_ place: Place) -> ArraySlice<Float> {
        data[place.offset..<place.offset + place.shape.reduce(1, *)]
    }
}

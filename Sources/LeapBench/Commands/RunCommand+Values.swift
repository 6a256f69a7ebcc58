import Foundation
import LeapBlocks
import LeapModels
import LeapOps
import LeapToolSupport

/// What the flags say.
extension RunCommand {
    /// The tests of each model.
    var grid: Grid {
        Grid(
            batches: batches.flatMap(\.values), chunks: Self.values(chunks, [LanguageModel.chunkSize]),
            threads: threads.isEmpty ? [CPUCount.permitted] : threads.flatMap(\.values),
            depths: Self.values(depths, [0]), prompts: Self.values(prompts, [512]),
            generations: Self.values(generations, [128]), combinations: combinations,
            parallel: Self.values(parallel, [1]))
    }

    /// How keys and values are stored: all combinations of both lists of types.
    var keyValueTypes: [KeyValueChoice] {
        let (keys, values) = (Self.types(keyArguments), Self.types(valueArguments))
        return keys.flatMap { keys in values.map { KeyValueChoice(keys: keys, values: $0) } }
    }

    /// The models, named individually or, as in llama-bench, separated by commas.
    var modelNames: [String] {
        models.flatMap { name in
            FileManager.default.fileExists(atPath: name) ? [name] : name.split(separator: ",").map(String.init)
        }
    }

    /// The models of repositories, each with a file if one is named.
    var repositoryModels: [ModelName] {
        get throws {
            try repositories.enumerated().map { index, repository in
                let file = repositoryFiles.indices.contains(index) ? repositoryFiles[index] : nil
                return try ModelFlags.name(ofRepository: repository, file: file)
            }
        }
    }

    /// The question about generations that replaces the grid's tests.
    var question: GenerationQuestion? {
        if let schema { return .schema(schema) }
        if !speculation.isEmpty { return .speculation(speculation) }
        if cached { return .cache }
        if !image.isEmpty { return .encoding(image.map(EncodedInput.picture)) }
        if !audio.isEmpty { return .encoding(audio.map(EncodedInput.sound)) }
        if let speech { return .speech(speech) }
        return cancellation ? .cancellation : nil
    }

    /// Lengths of known beginnings of prompts, and of the unknown rest.
    var cachedPrompts: [(known: Int, new: Int)] {
        let new = Self.values(prompts, [96]).filter { $0 > 0 }
        return Self.values(depths, [4000]).flatMap { known in new.map { (known, $0) } }
    }

    /// Whether the machine's limits are measured.
    var measuresRoofline: Bool { roofline || plot != nil }

    /// Whether only the machine is measured.
    var measuresMachineAlone: Bool { measuresRoofline && models.isEmpty && repositories.isEmpty }

    private static func types(_ lists: [CacheTypeList]) -> [KeyValueType?] {
        lists.isEmpty ? [nil] : lists.flatMap(\.types)
    }

    private static func values(_ lists: [NumberList], _ defaults: [Int]) -> [Int] {
        lists.isEmpty ? defaults : lists.flatMap(\.values)
    }
}

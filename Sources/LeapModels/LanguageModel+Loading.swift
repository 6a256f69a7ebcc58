public import LeapBlocks
public import LeapGGUF

extension LanguageModel {
    /// Checks all hyper-parameters and binds all tensors. Reads no weights but the norms and filters.
    ///
    /// - Parameters:
    ///   - adapters: What changes the model's matrices, in the order in which the changes are added.
    ///   - keyType: The type of cached keys. `nil` is half precision, or single precision if the weights are 32-bit
    ///     floats, because users of such a file want its precision in the result.
    ///   - valueType: The type of cached values, by the same rule.
    /// - Throws: ``ModelError`` for everything that would otherwise fail at the first token.
    public static func load(
        _ file: GGUFFile, adapters: [Adapter] = [], keyType: KeyValueType? = nil, valueType: KeyValueType? = nil
    ) throws(ModelError) -> LanguageModel {
        try load(file, adapters, for: .writing, keyType: keyType, valueType: valueType)
    }

    /// The same for a given purpose, which decides what the file may contain.
    static func load(
        _ file: GGUFFile, _ adapters: [Adapter] = [], for purpose: ModelPurpose, keyType: KeyValueType?,
        valueType: KeyValueType?
    ) throws(ModelError) -> LanguageModel {
        let result = Result { () throws(ModelError) in
            try bind(file, adapters, purpose, keyType: keyType, valueType: valueType)
        }
        // If the file shrank while it was read, neither the result nor its error can be trusted: report that instead.
        try checkNothingLost(of: [file] + adapters.map(\.file.file))
        return try result.get()
    }

    /// Throws if pages of the files were lost, so that zeros may have been read in their place.
    static func checkNothingLost(of files: [GGUFFile]) throws(ModelError) {
        for file in files {
            do { try file.checkNothingLost() } catch { throw .file(error) }
        }
    }

    private static func bind(
        _ file: GGUFFile, _ adapters: [Adapter], _ purpose: ModelPurpose, keyType: KeyValueType?,
        valueType: KeyValueType?
    ) throws(ModelError) -> LanguageModel {
        let metadata = file.metadata
        if (try? metadata.string("general.type")) == LoRAFile.type { throw .isAdapter }
        let name = try reading { () throws(GGUFError) in try metadata.string("general.architecture") }
        let title = try reading { () throws(GGUFError) in try metadata.stringIfPresent("general.name") }
        let architecture = try Architectures.named(name, for: purpose)
        let parameters = HyperParameters(metadata: metadata, architecture: name)
        let configuration = try ModelConfiguration(
            parameters, vocabularySize: try vocabularySize(of: file, architecture: name), name: title,
            epsilonKey: architecture.norm.epsilonKey)
        let known = architecture.knownKeys(for: purpose)
        try MeaningfulKey.check(parameters, known: known, contextLength: configuration.contextLength)
        try refuseBlocks(from: configuration.fileBlockCount, of: file)
        let ownType: KeyValueType = file.tensors.allSatisfy { $0.type == .F32 } ? .f32 : .f16
        let types = KeyValueTypes(keys: keyType ?? ownType, values: valueType ?? ownType)
        try refuse(types, headDimension: configuration.headDimension)
        let changes = adapters.isEmpty ? nil : try AdapterSet(adapters, architecture: name)
        let weights = Weights(file: file, architecture: name, adapters: changes)
        let binder = Binder(
            configuration: configuration, parameters: parameters, weights: weights, normKind: architecture.norm,
            purpose: purpose)
        let graph = try architecture.graph(binder)
        try changes?.checkAllBound(isTensor: weights.has)
        try refuseUnbound(of: weights, binder)
        return LanguageModel(configuration: configuration, keyValueTypes: types, weights: weights, graph: graph)
    }

    /// Refuses types of keys and values whose blocks a head does not fill.
    private static func refuse(_ types: KeyValueTypes, headDimension: Int) throws(ModelError) {
        for type in [types.keys, types.values] where !headDimension.isMultiple(of: type.elementsPerBlock) {
            throw .unsupportedKeyValueTypes(types, headDimension: headDimension)
        }
    }

    /// Rejects a file with more blocks than its block count: ignoring the surplus would run a different model.
    private static func refuseBlocks(from count: Int, of file: GGUFFile) throws(ModelError) {
        guard let tensor = file.tensors.first(where: { $0.name.hasPrefix("blk.\(count).") }) else { return }
        throw .contradiction("the file has a tensor '\(tensor.name)', but block_count is \(count)")
    }

    /// Refuses a file with tensors that were not bound: ignoring them would run a different model.
    ///
    /// Exempt are the blocks for multi-token prediction, which are not used, and the embedding head, which is bound later.
    private static func refuseUnbound(of weights: Weights, _ binder: Binder) throws(ModelError) {
        let configuration = binder.configuration
        var unused = (configuration.blockCount..<configuration.fileBlockCount).map { "blk.\($0)." }
        if binder.purpose == .embedding { unused += EmbeddingHead.tensorNames.map { "\($0)." } }
        let names = weights.unbound.map(\.name).filter { name in !unused.contains { name.hasPrefix($0) } }
        guard let first = names.first else { return }
        throw .unusedTensors(first: first, count: names.count, architecture: configuration.architecture)
    }

    /// Rows of the embedding; the tokenizer, if the file has one, must have the same number of tokens.
    private static func vocabularySize(of file: GGUFFile, architecture: String) throws(ModelError) -> Int {
        guard let embedding = file.tensor(named: Binder.embeddingName) else {
            throw .missingTensor(name: Binder.embeddingName, architecture: architecture)
        }
        guard embedding.dimensions.count == 2, embedding.dimensions[1] <= Int(Int32.max) else {
            throw .contradiction("\(embedding.name) has shape \(embedding.dimensions), but must be a matrix")
        }
        let rows = embedding.dimensions[1]
        let tokens = try reading { () throws(GGUFError) in
            try file.metadata.stringsIfPresent("tokenizer.ggml.tokens")
        }
        if let tokens, tokens.count != rows {
            throw .contradiction("the vocabulary has \(tokens.count) tokens, but the embedding has \(rows) rows")
        }
        return rows
    }
}

extension EmbeddingHead {
    /// The names of the head's tensors, up to the first dot. A file may have some that the head does not use.
    static let tensorNames = denseNames + ["cls"]

    private static let denseNames = ["dense_2", "dense_3"]

    /// Binds `dense_2`, `dense_3`, `cls` and `cls.output`, as far as the file has them.
    ///
    /// - Parameter pooling: How texts are pooled.
    init(
        _ parameters: HyperParameters, _ weights: Weights, width: Int, pooling: Pooling, scoresLastToken: Bool
    ) throws(ModelError) {
        self.pooling = pooling
        self.scoresLastToken = scoresLastToken
        dense = try Self.dense(parameters, weights, width: width)
        classifier = try Self.classifier(parameters, weights, width: width)
        if pooling == .rank, classifier == nil {
            throw .missingTensor(name: Self.classifierName + ".weight", architecture: parameters.architecture)
        }
    }

    /// The same head with another pooling.
    func pooling(_ pooling: Pooling, architecture: String) throws(ModelError) -> EmbeddingHead {
        guard pooling != .rank || classifier != nil else {
            throw .missingTensor(name: Self.classifierName + ".weight", architecture: architecture)
        }
        return EmbeddingHead(
            pooling: pooling, scoresLastToken: scoresLastToken, dense: dense, classifier: classifier)
    }

    private static let classifierName = "cls.output"
    /// Labels of a reranker's classifier: yes and no.
    private static let mostLabels = 2

    private static func dense(
        _ parameters: HyperParameters, _ weights: Weights, width: Int
    ) throws(ModelError) -> [Projection] {
        var (matrices, width): ([Projection], Int) = ([], width)
        for name in denseNames where weights.has("\(name).weight") {
            let dimensions = try weights.dimensions(of: "\(name).weight")
            guard dimensions.count == 2, (1...1 << 20).contains(dimensions[1]) else {
                throw .wrongShape(tensor: "\(name).weight", expected: [width, width], found: dimensions)
            }
            matrices.append(try weights.projection(name, rows: dimensions[1], columns: width))
            try check(parameters, "\(name)_feat_in", is: width)
            width = dimensions[1]
            try check(parameters, "\(name)_feat_out", is: width)
        }
        try check(parameters, "embedding_length_out", is: width)
        return matrices
    }

    /// Throws if a key contradicts the tensors.
    private static func check(_ parameters: HyperParameters, _ key: String, is width: Int) throws(ModelError) {
        guard let stated = try parameters.integerIfPresent(key, in: 0...Int(UInt32.max)), stated != width else {
            return
        }
        throw .contradiction("\(parameters.key(key)) is \(stated), but the tensors produce vectors of size \(width)")
    }

    private static func classifier(
        _ parameters: HyperParameters, _ weights: Weights, width: Int
    ) throws(ModelError) -> Classifier? {
        guard weights.has("\(classifierName).weight") else { return nil }
        let dimensions = try weights.dimensions(of: "\(classifierName).weight")
        let labels = dimensions.count == 1 ? 1 : dimensions[1]
        guard (1...mostLabels).contains(labels) else {
            throw .unsupportedFeature(
                key: "\(classifierName).weight", value: "\(dimensions)",
                reason:
                    "reranking needs a classifier with one label, or with yes and no, but this one has \(labels) labels"
            )
        }
        let names = try parameters.stringsIfPresent("classifier.output_labels")
        if let names, names.count != labels {
            throw .contradiction(
                "\(parameters.key("classifier.output_labels")) has \(names.count) labels, but \(classifierName).weight has \(labels)"
            )
        }
        return Classifier(
            hidden: weights.has("cls.weight") ? try weights.projection("cls", rows: width, columns: width) : nil,
            output: try weights.projection(classifierName, rows: labels, columns: width),
            yes: names?.firstIndex(of: "yes") ?? 0)
    }
}

/// The names of a model's tensors in a GGUF file.
struct TensorNames {
    private let recipe: ArchitectureRecipe

    init(_ recipe: ArchitectureRecipe) { self.recipe = recipe }

    /// The destination of a stored tensor.
    enum Place: Hashable {
        /// It is not used at run time.
        case ignored
        /// A separate tensor, by its name in the GGUF file; the number of its layer, if it has one.
        case single(String, layer: Int?)
        /// The matrix of an expert, in a stack.
        case expert(stack: String, number: Int, layer: Int)
        /// A tensor of experts with interleaved gate and up rows.
        case joint(JointExpertTensor, layer: Int)
        /// Gate rows followed by up rows: two tensors.
        case halves(GatesAndUps, layer: Int)
    }

    /// - Throws: ``ConversionError`` for a name that the architecture does not have.
    func place(of stored: String) throws(ConversionError) -> Place {
        let name = normalized(stored)
        if isIgnored(name) { return .ignored }
        // Models without an output projection are stored without the prefix.
        for candidate in [name, "model." + name] {
            if let place = outer(candidate) ?? layer(candidate) { return place }
        }
        throw .tensor(name: stored, problem: "is unknown for the architecture \(recipe.name), and would be lost")
    }

    private func normalized(_ stored: String) -> String {
        var name = stored.replacing("language_model.", with: "")
        if !recipe.droppedPrefix.isEmpty, name.hasPrefix(recipe.droppedPrefix) {
            name.removeFirst(recipe.droppedPrefix.count)
        }
        // Legacy names from TensorFlow checkpoints.
        for (old, new) in [(".gamma", ".weight"), (".beta", ".bias")] where name.hasSuffix(old) {
            name = name.dropLast(old.count) + new
        }
        return name
    }

    private func isIgnored(_ name: String) -> Bool {
        let ends = [".attention.masked_bias", ".attention.bias", ".rotary_emb.inv_freq"]
        return ends.contains { name.hasSuffix($0) } || recipe.ignoredPrefixes.contains { name.hasPrefix($0) }
    }

    private func outer(_ name: String) -> Place? {
        guard let (stem, suffix) = Self.parts(name), let ours = recipe.outerNames[stem] else { return nil }
        return .single(ours + suffix, layer: nil)
    }

    private func layer(_ name: String) -> Place? {
        guard name.hasPrefix(recipe.layerPrefix) else { return nil }
        let rest = name.dropFirst(recipe.layerPrefix.count)
        guard let dot = rest.firstIndex(of: "."), let layer = Self.number(rest[..<dot]) else { return nil }
        let inner = String(rest[rest.index(after: dot)...])
        if let place = expert(inner, layer) { return place }
        if let prefix = recipe.jointExpertsPrefix, inner.hasPrefix(prefix),
            let part = JointExpertTensor(inner.dropFirst(prefix.count))
        {
            return .joint(part, layer: layer)
        }
        if let parts = recipe.halves[inner] ?? Self.parts(inner).flatMap({ recipe.halves[$0.stem] }) {
            return .halves(GatesAndUps(parts.gates, parts.ups, layer: layer), layer: layer)
        }
        if let whole = recipe.layerNames[inner] { return .single("blk.\(layer).\(whole)", layer: layer) }
        guard let (stem, suffix) = Self.parts(inner), let ours = recipe.layerNames[stem] else { return nil }
        return .single("blk.\(layer).\(ours)\(suffix)", layer: layer)
    }

    private func expert(_ inner: String, _ layer: Int) -> Place? {
        guard let experts = recipe.experts, inner.hasPrefix(experts.prefix) else { return nil }
        let stem = Self.parts(inner).map { $0.suffix == ".weight" ? $0.stem : inner } ?? inner
        if stem == experts.gatesAndUps {
            return .halves(GatesAndUps("ffn_gate_exps", "ffn_up_exps", layer: layer), layer: layer)
        }
        if let stack = experts.stacks[stem] { return .single("blk.\(layer).\(stack).weight", layer: layer) }
        let fields = stem.dropFirst(experts.prefix.count).split(separator: ".", omittingEmptySubsequences: false)
        guard fields.count == 2, let number = Self.number(fields[0]), let stack = experts.matrices[String(fields[1])],
            inner.hasSuffix(".weight")
        else { return nil }
        return .expert(stack: "blk.\(layer).\(stack).weight", number: number, layer: layer)
    }

    /// A name without its last part, which is `.weight` or `.bias`, and that part.
    private static func parts(_ name: String) -> (stem: String, suffix: String)? {
        for suffix in [".weight", ".bias"] where name.hasSuffix(suffix) {
            return (String(name.dropLast(suffix.count)), suffix)
        }
        return nil
    }

    private static func number(_ text: some StringProtocol) -> Int? {
        guard text.utf8.count <= 6, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}

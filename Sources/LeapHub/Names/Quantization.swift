import LeapGGUF

/// Names of quantisations in names of files.
enum Quantization {
    /// The order of preference if none was requested: small but good ones first.
    static let preferred = ["Q4_K_M", "Q4_0", "Q5_K_M", "Q6_K", "Q8_0", "BF16", "F16", "F32"]

    /// A name as the vendor writes it: in capitals.
    static func canonical(_ name: String) -> String { name.uppercased() }

    /// The quantisation that a file's name ends in, as in `LFM2-1.2B-Q4_K_M.gguf` or `model.Q8_0-00001-of-00003.gguf`;
    /// `nil` if there is none.
    static func named(in file: String) -> String? {
        var stem = file.lowercased().hasSuffix(".gguf") ? String(file.dropLast(5)) : file
        if let shard = ShardName(file) { stem = shard.prefix }
        guard let last = stem.split(whereSeparator: { "-.".contains($0) }).last else { return nil }
        let name = canonical(String(last))
        let isOne =
            ["BF16", "F16", "F32", "MXFP4"].contains(name)
            || ["Q", "IQ", "TQ"].contains { prefix in
                name.hasPrefix(prefix) && name.dropFirst(prefix.count).first?.isNumber == true
            }
        return isOne ? name : nil
    }

    /// The preferred one of those available.
    static func choice(of names: some Collection<String>) -> String? {
        preferred.first { names.contains($0) } ?? names.sorted().first
    }
}

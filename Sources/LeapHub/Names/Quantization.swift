/// Names of quantisations in names of files.
enum Quantization {
    /// The order in which one is chosen where none was asked for: small and good first.
    static let preferred = ["Q4_K_M", "Q4_0", "Q5_K_M", "Q6_K", "Q8_0", "BF16", "F16", "F32"]

    /// A name as the vendor writes it: in capitals.
    static func canonical(_ name: String) -> String { name.uppercased() }

    /// The quantisation that a file's name ends in, as in `LFM2-1.2B-Q4_K_M.gguf` or `model.Q8_0-00001-of-00003.gguf`;
    /// nil if there is none.
    static func named(in file: String) -> String? {
        var stem = file.lowercased().hasSuffix(".gguf") ? String(file.dropLast(5)) : file
        if let part = SplitName(file) { stem = part.stem }
        guard let last = stem.split(whereSeparator: { "-.".contains($0) }).last else { return nil }
        let name = canonical(String(last))
        let isOne =
            ["BF16", "F16", "F32", "MXFP4"].contains(name)
            || ["Q", "IQ", "TQ"].contains { prefix in
                name.hasPrefix(prefix) && name.dropFirst(prefix.count).first?.isNumber == true
            }
        return isOne ? name : nil
    }

    /// The one to take of those that there are.
    static func choice(of names: some Collection<String>) -> String? {
        preferred.first { names.contains($0) } ?? names.sorted().first
    }
}

/// A name of a split file: `stem-00001-of-00003.gguf`.
struct SplitName {
    let stem: String
    let part: Int
    let count: Int

    /// Reads a name byte by byte, because it is done for every file of a repository.
    init?(_ file: String) {
        // "-00001-of-00003.gguf", of which nothing may be missing.
        let digits = 5
        let ending = Array(".gguf".utf8)
        let bytes = Array(file.utf8)
        guard bytes.count > 1 + digits + 4 + digits + ending.count, bytes.suffix(ending.count) == ending[...] else {
            return nil
        }
        let count = bytes.count - ending.count - digits
        let part = count - 4 - digits
        guard bytes[part - 1] == UInt8(ascii: "-"), bytes[part + digits..<count].elementsEqual("-of-".utf8),
            let number = Self.number(bytes[part..<part + digits]),
            let total = Self.number(bytes[count..<count + digits]), 1...1000 ~= total, 1...total ~= number
        else { return nil }
        stem = String(decoding: bytes[..<(part - 1)], as: UTF8.self)
        self.part = number
        self.count = total
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            ? digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } : nil
    }

    /// The names of all files of the set.
    var all: [String] { (1...count).map { "\(stem)-\(Self.digits($0))-of-\(Self.digits(count)).gguf" } }

    private static func digits(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: 5 - text.count) + text
    }
}

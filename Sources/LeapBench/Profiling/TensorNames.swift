import LeapGGUF

/// The tensors of a file, by the address at which they are mapped.
struct TensorNames {
    /// Ascending; no two overlap.
    private let tensors: [(addresses: Range<UInt>, role: String)]

    init(_ file: GGUFFile) {
        tensors = file.tensors.compactMap { tensor in
            guard let base = tensor.bytes.baseAddress, tensor.byteCount > 0 else { return nil }
            let start = UInt(bitPattern: base)
            return (start..<start + UInt(tensor.byteCount), Self.role(tensor.name))
        }.sorted { $0.addresses.lowerBound < $1.addresses.lowerBound }
    }

    /// The role of the tensor that contains an address, or `nil` if none does: a matrix may be a part of a tensor.
    func role(at address: UInt) -> String? {
        var (low, high) = (0, tensors.count)
        while low < high {
            let middle = (low + high) / 2
            if tensors[middle].addresses.upperBound <= address { low = middle + 1 } else { high = middle }
        }
        return low < tensors.count && tensors[low].addresses.contains(address) ? tensors[low].role : nil
    }

    /// The part of the name that is the same in all blocks: `ffn_down` for `blk.3.ffn_down.weight`. The projection to
    /// the vocabulary is named by its function, because it may be the embedding.
    static func role(_ name: String) -> String {
        var parts = name.split(separator: ".")
        if parts.count > 2, parts[0] == "blk" { parts.removeFirst(2) }
        if parts.count > 1, parts.last == "weight" { parts.removeLast() }
        let role = parts.joined(separator: ".")
        return role == "output" || role == "token_embd" ? "logits" : role
    }

    /// Several roles combined: `attn_q+k+v`.
    static func joint(_ roles: [String]) -> String {
        if Set(roles).count == 1, let role = roles.first { return role }
        guard let first = roles.first, let end = first.lastIndex(of: "_") else { return roles.joined(separator: "+") }
        let prefix = first[...end]
        return ([first] + roles.dropFirst().map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 })
            .joined(separator: "+")
    }
}

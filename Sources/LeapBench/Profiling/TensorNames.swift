import LeapGGUF

/// The tensors of a file by the place where they are mapped.
struct TensorNames {
    private let roles: [UInt: String]

    init(_ file: GGUFFile) {
        var roles: [UInt: String] = [:]
        for tensor in file.tensors {
            guard let base = tensor.bytes.baseAddress else { continue }
            roles[UInt(bitPattern: base)] = Self.role(tensor.name)
        }
        self.roles = roles
    }

    /// The role of the tensor at an address, or `nil` where the file has none.
    func role(at address: UInt) -> String? { roles[address] }

    /// What the tensors of all blocks have in common: `ffn_down` for `blk.3.ffn_down.weight`. The projection to the
    /// vocabulary goes by what it computes, since it may be the embedding.
    static func role(_ name: String) -> String {
        var parts = name.split(separator: ".")
        if parts.count > 2, parts[0] == "blk" { parts.removeFirst(2) }
        if parts.count > 1, parts.last == "weight" { parts.removeLast() }
        let role = parts.joined(separator: ".")
        return role == "output" || role == "token_embd" ? "logits" : role
    }

    /// Several roles in one: `attn_q+k+v`.
    static func joint(_ roles: [String]) -> String {
        guard let first = roles.first, let end = first.lastIndex(of: "_") else { return roles.joined(separator: "+") }
        let prefix = first[...end]
        return ([first] + roles.dropFirst().map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 })
            .joined(separator: "+")
    }
}

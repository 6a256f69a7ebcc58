import LeapModels

/// The memory budget of all generations' states. Memory is reserved here before it is allocated.
struct StateBudget {
    private let limit: Int
    /// The models of which every generation has a state.
    private let models: [LanguageModel]
    private var reserved = 0

    init(_ limit: Int?, _ models: [LanguageModel]) {
        self.limit = limit ?? .max
        self.models = models
    }

    /// Whether there is memory for more positions of a state than before.
    func hasRoom(from old: Int, to new: Int) -> Bool {
        reserved + bytes(new) - bytes(old) <= limit
    }

    /// Reserves memory for more positions of a state than before, even beyond the budget.
    mutating func raise(from old: Int, to new: Int) {
        reserved += bytes(new) - bytes(old)
    }

    /// Takes back what was reserved for a state.
    mutating func release(_ positions: Int) {
        reserved -= bytes(positions)
    }

    /// Bytes of a state with this many positions; 0 for none.
    private func bytes(_ positions: Int) -> Int {
        positions == 0 ? 0 : models.reduce(0) { $0 + $1.stateBytes(positions: positions) }
    }
}

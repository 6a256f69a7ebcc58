import LeapModels

/// The memory that states of generations may come to take: it is promised before it is taken.
struct StateBudget {
    private let limit: Int
    /// The models of which every generation has a state.
    private let models: [LanguageModel]
    private var promised = 0

    init(_ limit: Int?, _ models: [LanguageModel]) {
        self.limit = limit ?? .max
        self.models = models
    }

    /// Whether there is memory for more positions of a state than before.
    func hasRoom(from old: Int, to new: Int) -> Bool {
        promised + bytes(new) - bytes(old) <= limit
    }

    /// Promises memory for more positions of a state than before, also where there is none.
    mutating func raise(from old: Int, to new: Int) {
        promised += bytes(new) - bytes(old)
    }

    /// Takes back what was promised for a state.
    mutating func release(_ positions: Int) {
        promised -= bytes(positions)
    }

    /// What a state takes; nothing before it has positions.
    private func bytes(_ positions: Int) -> Int {
        positions == 0 ? 0 : models.reduce(0) { $0 + $1.stateBytes(positions: positions) }
    }
}

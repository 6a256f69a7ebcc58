import LeapModels

/// The memory that states of generations may come to take: it is promised before it is taken.
struct StateBudget {
    private let limit: Int
    private let model: LanguageModel
    private var promised = 0

    init(_ limit: Int?, _ model: LanguageModel) {
        self.limit = limit ?? .max
        self.model = model
    }

    /// Promises memory for more positions of a state than before.
    ///
    /// - Parameter must: Whether it is promised even where there is none.
    /// - Returns: Whether it was.
    mutating func raise(from old: Int, to new: Int, must: Bool) -> Bool {
        let bytes = model.stateBytes(positions: new) - (old == 0 ? 0 : model.stateBytes(positions: old))
        let (sum, overflow) = promised.addingReportingOverflow(bytes)
        guard must || (!overflow && sum <= limit) else { return false }
        promised = overflow ? .max : sum
        return true
    }

    /// Takes back what was promised for a state.
    mutating func release(_ positions: Int) {
        if positions > 0 { promised -= model.stateBytes(positions: positions) }
    }
}

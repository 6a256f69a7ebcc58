import LeapEngine

/// The right to use a loaded model: it stays loaded as long as somebody has one.
final class ModelLease: Sendable {
    /// The model.
    let engine: Engine
    /// What it is called, and what is known of it.
    let card: ModelCard
    private let giveBack: @Sendable () -> Void

    init(_ engine: Engine, _ card: ModelCard, giveBack: @escaping @Sendable () -> Void) {
        self.engine = engine
        self.card = card
        self.giveBack = giveBack
    }

    deinit { giveBack() }
}

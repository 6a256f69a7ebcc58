import LeapGeneration
import Synchronization

/// A model's recent spoken answers, by their recordings.
final class SpokenAnswers: Sendable {
    private let state = Mutex(State())

    private struct State {
        var answers: [Sound: SpokenAnswer] = [:]
        /// The latest last.
        var order: [Sound] = []
        var steps = 0
    }

    /// Steps that are kept: some two hours of speech, in a few megabytes.
    private static let limit = 1 << 17

    func answer(_ sound: Sound) -> SpokenAnswer? {
        state.withLock { $0.answers[sound] }
    }

    /// Keeps an answer, and evicts the oldest.
    func store(_ answer: SpokenAnswer, _ sound: Sound) {
        // Only the identity of the sound.
        let sound = sound.withoutBytes
        state.withLock { state in
            if let old = state.answers.updateValue(answer, forKey: sound) {
                state.order.removeAll { $0 == sound }
                state.steps -= old.items.count
            }
            state.order.append(sound)
            state.steps += answer.items.count
            while state.steps > Self.limit, state.order.count > 1 {
                state.steps -= state.answers.removeValue(forKey: state.order.removeFirst())?.items.count ?? 0
            }
        }
    }
}

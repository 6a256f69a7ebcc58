import LeapEngine
import LeapGeneration

extension ServerCore {
    /// How many tokens a conversation has. Clients ask for this often, so it does not wait for a slot.
    func promptTokens(of job: AnswerJob) async throws -> Int {
        guard case .chat(let asked) = job.subject else { return 0 }
        let lease = try await lease(job.model)
        let (model, chat) = (try lease.engine.model(), lease.card.defaults.complete(asked))
        do { return try model.request(chat).prompt.count } catch { throw APIError(engine: error, in: job.fields) }
    }
}

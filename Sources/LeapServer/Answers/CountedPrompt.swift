import LeapEngine
import LeapGeneration

extension ServerCore {
    /// How many tokens a conversation has. Clients ask for this often, so it does not wait for a slot.
    func promptTokens(of job: AnswerJob) async throws -> Int {
        guard case .chat(let chat) = job.subject else { return 0 }
        let model = try await lease(job.model).engine.model()
        do { return try model.request(chat).prompt.count } catch { throw APIError(engine: error, in: job.fields) }
    }
}

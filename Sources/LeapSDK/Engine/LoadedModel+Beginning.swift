import LeapGeneration
import LeapTokenizer

extension LoadedModel {
    /// The tokens with which every conversation begins that has some instructions and functions: what the prompts of two
    /// such conversations have in common.
    func beginning(systemPrompt: String?, functions: [LeapFunction]) throws(LeapError) -> [Token] {
        let instructions = systemPrompt.map { [ChatMessage(role: .system, textContent: $0)] } ?? []
        func prompt(_ question: String) throws(LeapError) -> [Token] {
            let messages = instructions + [ChatMessage(role: .user, textContent: question)]
            return try request(messages, functions: functions, .init()).prompt.tokens
        }
        return zip(try prompt("a"), try prompt("0")).prefix { $0 == $1 }.map { $0.0 }
    }
}

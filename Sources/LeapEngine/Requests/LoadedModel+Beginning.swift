import LeapGeneration
import LeapTokenizer

extension LoadedModel {
    /// The tokens with which every conversation begins that has some instructions and tools: what the prompts of two such
    /// conversations have in common.
    func beginning(instructions: String?, tools: [Tool]) throws -> [Token] {
        func prompt(_ question: String) throws -> [Token] {
            let messages = [instructions.map { Message(.system, $0) }, Message(.user, question)].compactMap(\.self)
            return try request(ChatRequest(messages, tools: tools, AnswerOptions())).prompt.tokens
        }
        return zip(try prompt("a"), try prompt("0")).prefix { $0 == $1 }.map { $0.0 }
    }
}

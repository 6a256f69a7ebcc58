/// Reads the function calls that a model writes as text, and writes calls as such text.
///
/// Text of the model between ``toolCallStartToken`` and ``toolCallEndToken`` is handed to ``append(chunk:)`` piece by piece,
/// as it comes; then ``parse()`` gives the calls. A parser serves one generation at a time.
public protocol LeapFunctionCallParserProtocol: AnyObject {
    /// The text that begins a block of calls, such as `<|tool_call_start|>`.
    var toolCallStartToken: String { get }

    /// The text that ends a block of calls, such as `<|tool_call_end|>`.
    var toolCallEndToken: String { get }

    /// Takes the next piece of a block.
    func append(chunk: String)

    /// Forgets what was appended.
    func clear()

    /// The calls in what was appended, which is forgotten.
    ///
    /// - Throws: An error that says what is wrong and where, for text that is no call.
    func parse() throws -> [LeapFunctionCall]

    /// Calls as the model would write them, without the tokens around them.
    func dump(functionCalls: [LeapFunctionCall]) -> String
}

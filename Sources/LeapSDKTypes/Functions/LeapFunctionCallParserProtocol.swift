/// Parses the function calls that a model writes as text, and writes calls in the same format.
///
/// The model's text between ``toolCallStartToken`` and ``toolCallEndToken`` is passed to ``append(chunk:)`` as it is
/// generated; ``parse()`` then returns the calls. A parser serves one generation at a time.
public protocol LeapFunctionCallParserProtocol: AnyObject {
    /// The text that begins a block of calls, such as `<|tool_call_start|>`.
    var toolCallStartToken: String { get }

    /// The text that ends a block of calls, such as `<|tool_call_end|>`.
    var toolCallEndToken: String { get }

    /// Appends the next piece of a block.
    func append(chunk: String)

    /// Discards the appended text.
    func clear()

    /// Parses the appended text and discards it.
    ///
    /// - Throws: An error that says what is wrong and where, if the text is not a function call.
    func parse() throws -> [LeapFunctionCall]

    /// Returns calls as the model would write them, without the tokens around them.
    func dump(functionCalls: [LeapFunctionCall]) -> String
}

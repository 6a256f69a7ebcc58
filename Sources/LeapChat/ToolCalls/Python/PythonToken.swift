import LeapJSON

/// A piece of Python source, as far as calls with literal arguments need them.
enum PythonToken: Equatable {
    /// A name, or several with dots between them.
    case name(String)
    /// A number without sign.
    case number(JSONValue)
    /// A string, its escapes resolved.
    case string(String)
    /// `( ) [ ] { } , : = * + - .`, `**`, and any other character that is not part of another token.
    case symbol(String)
    /// The end of the text.
    case end

    /// The token as errors quote it; `nil` at the end.
    var quoted: String? {
        switch self {
        case .name(let name): name
        case .number(let number): number.text()
        case .string(let text): PythonWriter.text(of: .string(text.count > 30 ? text.prefix(30) + "…" : text))
        case .symbol(let symbol): symbol
        case .end: nil
        }
    }
}

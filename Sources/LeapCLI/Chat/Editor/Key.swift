/// A key as a line editor understands it.
enum Key: Equatable {
    /// Characters; those that came at once are one key.
    case text(String)
    /// A text that was pasted, whole.
    case paste(String)
    case enter, newline
    case backspace, delete
    case left, right, up, down, home, end, wordLeft, wordRight
    case killToEnd, killToStart, killWord, killWordLeft, killWordRight
    case yank, transpose, search, escape
    case clearScreen, suspend, interrupt, endOfInput
}

/// A key as the line editor sees it.
enum Key: Equatable {
    /// Characters; those that arrive together are one key.
    case text(String)
    /// A pasted text, as a whole.
    case paste(String)
    case enter, newline
    case backspace, delete
    case left, right, up, down, home, end, wordLeft, wordRight
    case killToEnd, killToStart, killWord, killWordLeft, killWordRight
    case yank, transpose, search, escape
    case clearScreen, suspend, interrupt, endOfInput
}

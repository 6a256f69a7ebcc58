import Foundation

/// Writes Swift source that holds a file as a string literal in base64, which compiles in a second where an array
/// literal of the same bytes would take minutes.
///
///     EmbedFile FILE TYPE SOURCE
///
/// `TYPE` is the name of the enum that has the literal.
@main struct EmbedFile {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4 else {
            FileHandle.standardError.write(Data("usage: EmbedFile FILE TYPE SOURCE\n".utf8))
            exit(64)
        }
        let file = try Data(contentsOf: URL(filePath: arguments[1]))
        let source = """
            /// A file that the build put into the program.
            enum \(arguments[2]) {
                /// Its bytes in base64.
                static let base64: StaticString = "\(file.base64EncodedString())"
            }

            """
        try Data(source.utf8).write(to: URL(filePath: arguments[3]))
    }
}

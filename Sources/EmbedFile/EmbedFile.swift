import Foundation

/// Generates Swift source that contains files as base64 string literals, which compile in a second, whereas array
/// literals of the same bytes would take minutes.
///
///     EmbedFile SOURCE TYPE FILE…
///
/// `TYPE` is the name of the enum that has the literals.
@main struct EmbedFile {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 3 else {
            FileHandle.standardError.write(Data("usage: EmbedFile SOURCE TYPE FILE…\n".utf8))
            exit(64)
        }
        let entries = try arguments.dropFirst(3).map { path in
            let file = URL(filePath: path)
            return "        \"\(file.lastPathComponent)\": \"\(try Data(contentsOf: file).base64EncodedString())\",\n"
        }
        let text = """
            import Foundation

            /// Files that the build put into the program.
            enum \(arguments[2]) {
                /// Their bytes, by their names.
                static var files: [String: Data] {
                    base64.reduce(into: [:]) { files, file in
                        files[file.key] = Data(base64Encoded: file.value.withUTF8Buffer { Data($0) })
                    }
                }

                private static let base64: KeyValuePairs<String, StaticString> = [
            \(entries.joined())    ]
            }

            """
        // Where nothing changed the file keeps its date, so that nothing is compiled again.
        let (source, content) = (URL(filePath: arguments[1]), Data(text.utf8))
        guard (try? Data(contentsOf: source)) != content else { return }
        try content.write(to: source)
    }
}

import ArgumentParser

/// Token ids as the user types them.
enum TokenList {
    /// Ids separated by commas or spaces, with or without brackets.
    static func parse(_ text: String) throws -> [Int32] {
        let bare = text.drop { $0 == "[" || $0.isWhitespace }
        let fields = bare.split { $0 == "," || $0.isWhitespace || $0 == "]" }
        return try fields.map { field in
            guard let id = Int32(field) else {
                throw ValidationError("'\(field)' is not a token id: ids are whole numbers.")
            }
            return id
        }
    }
}

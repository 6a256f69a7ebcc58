import LeapSDK

/// A person's data in a sentence.
@Generatable("A person")
struct Contact: Codable {
    @Guide("The name") let name: String
    @Guide("What the person does") let job: String
    @Guide("Where the person lives") let city: String

    /// The contact in the format of address books (RFC 6350).
    var card: String {
        """
        BEGIN:VCARD
        VERSION:4.0
        FN:\(escaped(name))
        TITLE:\(escaped(job))
        ADR:;;;\(escaped(city));;;
        END:VCARD
        """
    }

    private func escaped(_ text: String) -> String {
        text.replacing(/[\\,;]/) { "\\" + $0.output }.replacing("\n", with: "\\n")
    }
}

/// The `format`s of JSON Schema that a finite automaton can describe.
///
/// Where validators interpret a specification differently, the narrower reading is taken: no leap seconds, no year 0,
/// `T` and `Z` in upper case, no consecutive hyphens in a host name, e-mail addresses without quotes and comments.
enum Formats {
    struct Definition: Hashable, Sendable {
        let pattern: String
        /// A second expression that texts must match.
        var lengths: String?
        var maximumLength: Int?
        /// Whether JSON Schema defines it, so that implementations that enforce formats enforce this one.
        var isStandard = true
    }

    /// The definition of a format; nil if it cannot be enforced.
    static func definition(_ name: String) -> Definition? {
        switch name {
        case "date": Definition(pattern: date)
        case "time": Definition(pattern: time)
        case "date-time": Definition(pattern: date + "T" + time)
        case "duration": Definition(pattern: duration)
        case "uuid": Definition(pattern: "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
        case "uuid1", "uuid3", "uuid4", "uuid5", "uuid6", "uuid7", "uuid8":
            Definition(pattern: uuid(version: String(name.suffix(1))), isStandard: false)
        case "email", "idn-email":
            Definition(pattern: email, lengths: "[^@]{1,64}@\(labelLengths)", maximumLength: 254)
        case "hostname", "idn-hostname": Definition(pattern: hostname, lengths: labelLengths, maximumLength: 253)
        case "ipv4": Definition(pattern: ipv4)
        case "ipv6": Definition(pattern: ipv6)
        case "uri", "iri": Definition(pattern: uri)
        case "uri-reference", "iri-reference": Definition(pattern: "(\(uri)|\(relativeReference))")
        case "uri-template": Definition(pattern: uriTemplate)
        case "json-pointer": Definition(pattern: "(/([^~/]|~[01])*)*")
        case "relative-json-pointer": Definition(pattern: "(0|[1-9][0-9]{0,8})(#|(/([^~/]|~[01])*)*)")
        case "byte", "base64":
            Definition(pattern: "([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?", isStandard: false)
        default: nil
        }
    }

    /// OpenAPI's format names that do not restrict texts.
    static let unrestricted: Set<String> = ["password", "binary"]

    // RFC 3339, section 5.6, with the lengths of months and leap years.
    private static let year = "(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})"
    private static let leapYear =
        "([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)"
    private static let date =
        "(\(year)-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)"
        + "|02-(0[1-9]|1[0-9]|2[0-8]))|\(leapYear)-02-29)"
    private static let clock = "([01][0-9]|2[0-3]):[0-5][0-9]"
    private static let time = "\(clock):[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]\(clock))"

    // RFC 3339, appendix A.
    private static let number = "[0-9]{1,9}"
    private static let clockDuration =
        "T(\(number)H(\(number)M(\(number)S)?)?|\(number)M(\(number)S)?|\(number)S)"
    private static let duration =
        "P(\(number)W|(\(number)Y(\(number)M(\(number)D)?)?|\(number)M(\(number)D)?|\(number)D)(\(clockDuration))?"
        + "|\(clockDuration))"

    // RFC 9562, sections 4.1 and 4.2.
    private static func uuid(version: String) -> String {
        let h = "[0-9a-fA-F]"
        return "\(h){8}-\(h){4}-\(version)\(h){3}-[89abAB]\(h){3}-\(h){12}"
    }

    // RFC 1123, section 2.1.
    private static let label = "[A-Za-z0-9]+(-[A-Za-z0-9]+)*"
    private static let labelLengths = "[^.]{1,63}(\\.[^.]{1,63})*"
    private static let hostname = "\(label)(\\.\(label))*"

    // RFC 5321, section 4.1.2, `Dot-string "@" Domain`.
    private static let atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
    private static let email = "\(atom)+(\\.\(atom)+)*@\(hostname)"

    // RFC 2673, section 3.2.
    private static let octet = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
    private static let ipv4 = "\(octet)(\\.\(octet)){3}"

    // RFC 4291, section 2.2.
    private static let ipv6: String = {
        let h = "[0-9a-fA-F]{1,4}"
        let last = "(\(h):\(h)|\(ipv4))"
        var forms = ["(\(h):){6}\(last)"]
        for before in 0...5 {
            let head = before == 0 ? "" : "\(h)(:\(h)){0,\(before - 1)}"
            let optionalHead = before == 0 ? "" : "(\(head))?"
            forms.append("\(optionalHead)::(\(h):){\(5 - before)}\(last)")
        }
        forms.append("(\(h)(:\(h)){0,5})?::\(h)")
        forms.append("(\(h)(:\(h)){0,6})?::")
        return forms.map { "(\($0))" }.joined(separator: "|")
    }()

    // RFC 3986, appendix A, with a registered name, an IPv4 address or nothing as host. Also RFC 3987 for ASCII.
    private static let unreserved = "A-Za-z0-9._~"
    private static let delimiters = "!$&'()*+,;="
    private static let encoded = "%[0-9A-Fa-f]{2}"
    private static let character = "([\(unreserved)\(delimiters):@-]|\(encoded))"
    private static let authority =
        "(([\(unreserved)\(delimiters):-]|\(encoded))*@)?([\(unreserved)\(delimiters)-]|\(encoded))+(:[0-9]{1,5})?"
    private static let rooted = "(//\(authority)(/\(character)*)*|///\(character)+(/\(character)*)*)"
    private static let queryAndFragment = "(\\?(\(character)|[/?])*)?(#(\(character)|[/?])*)?"
    private static let uri =
        "[A-Za-z][A-Za-z0-9+.-]*:(\(rooted)|/?\(character)+(/\(character)*)*)\(queryAndFragment)"
    private static let relativeReference =
        "(\(rooted)|/(\(character)+(/\(character)*)*)?"
        + "|([\(unreserved)\(delimiters)@-]|\(encoded))+(/\(character)*)*)?\(queryAndFragment)"

    // RFC 6570, section 2, for ASCII.
    private static let uriTemplate: String = {
        let literal = "([\(unreserved)!#$&()*+,/:;=?@\\[\\]-]|\(encoded))"
        let name = "([A-Za-z0-9_]|\(encoded))(\\.?([A-Za-z0-9_]|\(encoded)))*"
        let variable = "\(name)(:[1-9][0-9]{0,3}|\\*)?"
        return "(\(literal)|\\{[+#./;?&]?\(variable)(,\(variable))*\\})*"
    }()
}

extension StringMethods {
    static let predicates = [
        every("isalnum") { $0.isAlphanumeric },
        every("isalpha") { $0.isLetter },
        every("isdecimal") { $0.isDecimal },
        every("isdigit") { $0.isDigit },
        every("isnumeric") { $0.isNumeric },
        every("isspace") { $0.isPythonSpace },
        predicate("isascii") { $0.utf8.allSatisfy { $0 < 0x80 } },
        predicate("isprintable") { $0.unicodeScalars.allSatisfy(\.isPrintable) },
        predicate("islower") { $0.isPythonLowercase },
        predicate("isupper") { $0.isPythonUppercase },
        predicate("istitle") { $0.isTitlecased },
        predicate("isidentifier") { text in
            guard let first = text.unicodeScalars.first, first == "_" || first.properties.isXIDStart else {
                return false
            }
            return text.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
        },
    ]

    private static func predicate(_ name: String, _ holds: @escaping @Sendable (String) -> Bool) -> Builtin {
        Builtin(name, ["_self"]) { run, arguments throws(Failure) in
            let text = try receiver(arguments, run)
            try run.budget.touch(text.utf8.count * 8)
            return .bool(holds(text.withoutMarks))
        }
    }

    /// A predicate of scalars that must hold for all, and for at least one.
    private static func every(_ name: String, _ holds: @escaping @Sendable (Unicode.Scalar) -> Bool) -> Builtin {
        predicate(name) { !$0.isEmpty && $0.unicodeScalars.allSatisfy(holds) }
    }
}

extension String {
    var isPythonLowercase: Bool {
        unicodeScalars.contains(where: \.isLowercase) && !unicodeScalars.contains { $0.isUppercase || $0.isTitlecase }
    }

    var isPythonUppercase: Bool {
        unicodeScalars.contains(where: \.isUppercase) && !unicodeScalars.contains { $0.isLowercase || $0.isTitlecase }
    }
}

/// What `Markup` has beyond `str`.
enum MarkupMethods {
    static let all = StringMethods.all.merging(own.map { ($0.name, $0) }) { _, own in own }

    private static let own = [
        Builtin("unescape", ["_self"]) { run, arguments throws(Failure) in
            try run.budget.string(HTMLEntities.unescape(StringMethods.receiver(arguments, run)))
        },
        Builtin("striptags", ["_self"]) { run, arguments throws(Failure) in
            try run.budget.string(run.strippingTags(StringMethods.receiver(arguments, run)))
        },
        Builtin("escape", ["_self", "s"]) { run, arguments throws(Failure) in
            .markup(try run.escapedText(of: arguments[1]))
        },
    ]
}

import Testing

@testable import LeapSDKMacrosExpansion

@Suite struct DiagnosticTests {
    private static let text = "because it becomes part of the schema when the program is compiled"

    private static let cases: [(source: String, diagnostics: [String])] = [
        (
            "@Generatable actor A {}",
            [
                "1:1: error: '@Generatable' can be applied only to structs, classes and enums of strings, not to actors"
            ]
        ),
        (
            "@Generatable(Texts.a) struct A: Codable {}",
            ["1:14: error: the description in '@Generatable' must be a string literal, \(text)"]
        ),
        (
            "@Generatable(\"a\" + b) struct A: Codable {}",
            ["1:20: error: the description in '@Generatable' must be a string literal, \(text)"]
        ),
        (
            "@Generatable struct A: Codable { @Guide(\"of \\(b)\") let c: Int }",
            ["1:45: error: the description in '@Guide' cannot contain an interpolation, \(text)"]
        ),
        (
            "@Generatable struct A: Codable { var b = c() }",
            [
                "1:38: error: 'b' needs a type annotation, because '@Generatable' cannot see inferred types",
                "fix: add a type annotation",
            ]
        ),
        (
            "@Generatable struct A: Codable { var (b, c) = (1, 2) }",
            [
                "1:38: error: '@Generatable' does not support tuple patterns: declare each property separately"
            ]
        ),
        (
            "@Generatable struct A: Codable {\n#if DEBUG\nlet b: Int\n#endif\n}",
            [
                "3:1: error: '@Generatable' cannot tell whether a property inside '#if' exists: declare it outside"
            ]
        ),
        (
            "@Generatable struct A: Codable {\n#if DEBUG\n#if B\nlet b: Int\n#endif\n#endif\n}",
            [
                "4:1: error: '@Generatable' cannot tell whether a property inside '#if' exists: declare it outside"
            ]
        ),
        (
            "@Generatable enum A: String, Codable {\ncase a\n#if DEBUG\ncase b\n#else\ncase c, d\n#endif\n}",
            [
                "4:1: error: '@Generatable' cannot tell whether a case inside '#if' exists: declare it outside",
                "6:1: error: '@Generatable' cannot tell whether a case inside '#if' exists: declare it outside",
            ]
        ),
        (
            "@Generatable struct A: Codable {\nlet b: Int\nenum CodingKeys: String, CodingKey {\n#if DEBUG\ncase b\n#endif\n}\n}",
            [
                "5:1: error: '@Generatable' cannot tell whether a case inside '#if' exists: declare it outside"
            ]
        ),
        (
            "@Generatable struct A: Codable { let b: [Character] }",
            ["1:42: error: 'Character' cannot be generated: use 'String'", "fix: use 'String'"]
        ),
        (
            "@Generatable struct A: Codable { let b: (Int, Int)? }",
            [
                "1:41: error: '(Int, Int)' cannot be generated: tuples cannot be represented in JSON; use a struct with '@Generatable'"
            ]
        ),
        (
            "@Generatable struct A: Codable { let b: () -> Void }",
            [
                "1:41: error: '() -> Void' cannot be generated: functions cannot be represented in JSON; make the property lazy, static or computed"
            ]
        ),
        (
            "@Generatable struct A: Codable { let b: any C }",
            ["1:41: error: 'any C' cannot be generated: the schema needs a concrete type"]
        ),
        (
            "@Generatable struct A: Codable { let b: [Int: String] }",
            [
                "1:42: error: '[Int: String]' cannot be generated: the keys of JSON objects are strings, so the key type must be 'String'",
                "fix: use 'String'",
            ]
        ),
        (
            "@Generatable final class A: Codable { let next: A }",
            [
                "1:43: error: 'A' would contain itself endlessly through 'next': make the property optional or an array"
            ]
        ),
        (
            "@Generatable struct A: Codable { let next: Self }",
            ["1:38: error: 'A' would contain itself endlessly through 'next': make the property an array"]
        ),
        (
            "@Generatable class A: B {}",
            [
                "1:23: error: '@Generatable' cannot see the properties that 'A' inherits from 'B': declare them in 'A', or in a type of a property",
                "note: if 'B' is a protocol, list it after 'Codable'",
            ]
        ),
        (
            "@Generatable enum A: Codable { case b }",
            [
                "1:19: error: the cases of 'A' are generated as strings: give it the raw type 'String'",
                "fix: give 'A' the raw type 'String'",
            ]
        ),
        (
            "@Generatable enum A: String, Codable { case b(Int) }",
            [
                "1:45: error: 'A' has associated values, but cases are generated as strings: use a struct with optional properties"
            ]
        ),
        (
            "@Generatable enum A: String, Codable {}",
            ["1:19: error: 'A' has no cases, so there is nothing to generate"]
        ),
        (
            "@Generatable enum A: String, Codable { @Guide(\"x\") case b, c }",
            ["1:40: error: '@Guide' describes a single case: declare each case separately"]
        ),
        (
            "@Generatable enum A: String, Codable { @Guide(\"x\", .count(1)) case b }",
            ["1:52: error: a case has a single value, so it can be given only a description"]
        ),
        (
            "@Generatable struct A: Codable { @Guide(.count(3)) let b: Int? }",
            ["1:41: error: '.count' applies to arrays and sets, not to 'Int'"]
        ),
        (
            "@Generatable struct A: Codable { @Guide(.element(.range(1...2))) let b: [String] }",
            ["1:50: error: '.range' applies to numbers, not to 'String'"]
        ),
        (
            "@Generatable struct A: Codable { @Guide(.multipleOf(2)) let b: Double }",
            ["1:41: error: '.multipleOf' applies to integers, not to 'Double'"]
        ),
        (
            "@Generatable struct A: Codable { @Guide(.range(10 ... -1)) let b: Int }",
            ["1:48: error: this range is empty, because its lower bound is above its upper bound"]
        ),
        (
            "@Generatable struct A: Codable { @Guide(.count(3)) let b: Set<Int> }",
            [
                "1:41: error: '.count' cannot be guaranteed for a set, because equal elements are merged: use an array"
            ]
        ),
        (
            "@Generatable struct A: Codable { @Guide(\"x\") static let b = 1 }",
            [
                "1:34: warning: '@Guide' has no effect: 'b' is not generated, because it is a type property"
            ]
        ),
        (
            "@Generatable struct A: Codable { @Guide(\"x\") var b: Int { 1 } }",
            ["1:34: warning: '@Guide' has no effect: 'b' is not generated, because it is computed"]
        ),
        (
            "@Generatable struct A: Codable { @Guide(\"x\") let b: Int = 1 }",
            [
                "1:34: warning: '@Guide' has no effect: 'b' is not generated, because it is a constant with an initial value"
            ]
        ),
        (
            "@Generatable struct A: Codable { @Guide(\"x\") lazy var b = 1 }",
            [
                "1:34: warning: '@Guide' has no effect: 'b' is not generated, because lazy properties are not decoded"
            ]
        ),
        (
            "@Generatable struct A: Codable { @Guide(\"x\") var b = 1; enum CodingKeys: CodingKey {} }",
            [
                "1:34: warning: '@Guide' has no effect: 'b' is not generated, because 'CodingKeys' omits it"
            ]
        ),
        (
            "@Generatable struct A: Codable { typealias CodingKeys = B }",
            [
                "1:44: warning: '@Generatable' reads 'CodingKeys' only if it is an enum, so the names of the properties are used"
            ]
        ),
        (
            "@Generatable @Observable final class A: Codable { var b: Int }",
            [
                "1:55: warning: '@Observable' makes 'Codable' call 'b' '_b', and so does the schema: add 'case _b = \"b\"' to an enum 'CodingKeys' in the type"
            ]
        ),
        (
            "@Generatable @Observable final class A: Codable { @Guide(\"x\") var b: Int; enum CodingKeys: CodingKey { case b } }",
            ["1:51: warning: '@Guide' has no effect: 'b' is not generated, because 'CodingKeys' omits it"]
        ),
        (
            "struct A { @Guide(\"x\") let b: Int }",
            [
                "1:12: warning: '@Guide' has no effect here: add '@Generatable' to the type that declares the property or case"
            ]
        ),
        (
            "@Generatable struct A: Codable { @Guide(\"x\") func b() {} }",
            ["1:34: error: '@Guide' can be applied only to a stored property or an enum case"]
        ),
        (
            "@Generatable struct A: Codable { let b: Any; let c: Void }",
            [
                "1:41: error: 'Any' cannot be generated: the schema needs a concrete type",
                "1:53: error: 'Void' cannot be generated: it has no JSON values",
            ]
        ),
    ]

    @Test(arguments: cases.indices)
    func `mistakes are diagnosed at their locations`(index: Int) {
        let expansion = Expansion(Self.cases[index].source)
        #expect(expansion.diagnostics == Self.cases[index].diagnostics, "\(Self.cases[index].source)")
        #expect(expansion.areDiagnosticsPlaced, "\(Self.cases[index].source)")
        let isRefused = Self.cases[index].diagnostics.contains {
            $0.contains(": error: ") && !$0.contains("'@Guide' can be applied only")
        }
        #expect(
            expansion.text.contains("extension")
                == (!isRefused && Self.cases[index].source.contains("@Generatable")))
    }

    @Test(arguments: [
        ("@Generatable struct A: Codable { var b = c() }", "var b: <#Type#> = c()"),
        ("@Generatable struct A: Codable { let b: [Character] }", "let b: [String]"),
        ("@Generatable struct A: Codable { let b: [Int: String] }", "let b: [String: String]"),
        ("@Generatable enum A: Codable { case b }", "enum A: String, Codable {"),
        ("@Generatable enum A: Int, Codable { case b }", "enum A: String, Codable {"),
        ("@Generatable enum A { case b }", "enum A: String {"),
    ])
    func `fix-its produce the expected code`(source: String, expected: String) {
        let fixed = Expansion(source).fixed
        #expect(fixed.count == 1 && fixed.allSatisfy { $0.contains(expected) }, "\(fixed)")
    }
}

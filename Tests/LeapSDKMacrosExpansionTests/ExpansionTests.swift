import Testing

@testable import LeapSDKMacrosExpansion

@Suite struct ExpansionTests {
    @Test func `a struct gets a description, a schema and a type for partial values`() {
        let expansion = Expansion(
            """
            @Generatable("A fact")
            public struct Fact: Codable, Sendable {
                /// Documentation stays out.
                @Guide("Its name", .length(1...9)) public let name: String
                let notes: [Note]?, count: Int  // Comments too.
                private let secret: Bool
            }
            """)
        #expect(expansion.diagnostics.isEmpty)
        #expect(
            expansion.text == """

                public struct Fact: Codable, Sendable {
                    /// Documentation stays out.
                    public let name: String
                    let notes: [Note]?, count: Int  // Comments too.
                    private let secret: Bool

                    public static var typeDescription: String {
                        "A fact"
                    }

                    public static var generationSchema: LeapSDKMacros.GenerationSchema {
                        .object(
                            title: "Fact", description: typeDescription,
                            properties: [
                                .init("name", String.self, description: "Its name", guides: [.length(1 ... 9)]),
                                .init("notes", ([Note]?).self),
                                .init("count", Int.self),
                                .init("secret", Bool.self),
                            ])
                    }

                    public static func jsonSchema() -> String {
                        LeapSDKMacros.JSONSchemaGenerator.composedSchema(of: Self.self)
                    }

                    public struct PartiallyGenerated: Sendable {
                        public var name: String?
                        var notes: [Note.PartiallyGenerated]?
                        var count: Int?
                    }

                    public static func partiallyGenerated(from json: LeapSDKMacros.PartialJSON) -> PartiallyGenerated? {
                        guard json.isObject else {
                            return nil
                        }
                        var partial = PartiallyGenerated()
                        partial.name = json["name", as: String.self]
                        partial.notes = json["notes", as: [Note].self]
                        partial.count = json["count", as: Int.self]
                        return partial
                    }
                }

                extension Fact: LeapSDKMacros.GeneratableType, LeapSDKMacros.GeneratableValue {
                }
                """)
    }

    @Test func `an enum gets a description and a schema of its cases`() {
        let expansion = Expansion(
            """
            @Generatable enum Mood: String, Codable {
                @Guide("Smiling") case happy
                case `default` = "neutral", other
            }
            """)
        #expect(expansion.diagnostics.isEmpty)
        #expect(
            expansion.text == """
                enum Mood: String, Codable {
                    case happy
                    case `default` = "neutral", other

                    static var typeDescription: String {
                        ""
                    }

                    static var generationSchema: LeapSDKMacros.GenerationSchema {
                        .enumeration(
                            title: "Mood", description: typeDescription,
                            cases: [
                                .init("happy", description: "Smiling"),
                                .init("neutral"),
                                .init("other"),
                            ])
                    }

                    static func jsonSchema() -> String {
                        LeapSDKMacros.JSONSchemaGenerator.composedSchema(of: Self.self)
                    }
                }

                extension Mood: LeapSDKMacros.GeneratableType, LeapSDKMacros.GeneratableValue {
                }
                """)
    }

    @Test func `the members of a generic type are declared in the extension`() {
        let source = "@Generatable struct A<T: B, let n: Int>: Codable, Sendable { let t: T; let kids: [Self] }"
        let text = Expansion(source).text
        #expect(
            text.contains(
                """
                extension A: LeapSDKMacros.GeneratableType, LeapSDKMacros.GeneratableValue \
                where T: LeapSDKMacros.GeneratableValue {
                    static var typeDescription
                """), "\(text)")
        // The partial value of a `T` need not be `Sendable`, so another macro writes a conditional conformance.
        #expect(text.contains("@LeapSDKMacros._SendableWithParameters\n    struct PartiallyGenerated {"))
        #expect(text.contains("var kids: [A<T, n>.PartiallyGenerated]?"))
    }

    @Test func `members of an actor-isolated type are nonisolated unless isolated conformances are inferred`() {
        let source = "@MainActor @Generatable struct A: Codable { let b: B }"
        let text = Expansion(source).text
        for member in [
            "static var typeDescription", "static var generationSchema", "static func jsonSchema",
            "struct PartiallyGenerated", "static func partiallyGenerated",
        ] {
            #expect(text.contains("nonisolated \(member)"))
        }
        #expect(!Expansion(source, features: ["InferIsolatedConformances"]).text.contains("nonisolated"))
    }

    @Test(arguments: [
        (
            "@Generatable struct A<T: B>: Codable { let t: T }", "where T: LeapSDKMacros.GeneratableValue"
        ),
        (
            "@Generatable struct A<let n: Int>: Codable, Sendable { let b: Int }",
            "struct PartiallyGenerated: Sendable"
        ),
        ("@Generatable nonisolated struct A: Codable { let b: Int }", "nonisolated extension A: "),
        ("@Generatable struct A: Codable { let b: [Self?], c: Self.D }", "var b: [A.PartiallyGenerated?]?"),
        ("@Generatable struct A: Codable { let b: [Self], c: Self.D }", "var c: A.D.PartiallyGenerated?"),
        ("@Generatable struct A: Codable { let `let`: Int }", #"partial.`let` = json["let", as: Int.self]"#),
        ("@Generatable final class A: Codable { let b: A? }", "private var `_b`: [A.PartiallyGenerated] = []"),
        ("@Generatable final class A: Codable { let b: [A?] }", "var b: [A.PartiallyGenerated?]?"),
        (
            "@available(macOS 99, *) @Generatable struct A: Codable {}",
            "@available(macOS 99, *)\nextension A"
        ),
        (
            "package extension A { @Generatable struct B: Codable { let c: Int } }",
            "package static func jsonSchema()"
        ),
        ("@Generatable private struct A: Codable { let b: Int }", "fileprivate struct PartiallyGenerated"),
        ("private enum A { @Generatable struct B: Codable {} }", "fileprivate static func jsonSchema()"),
        ("public struct A { @Generatable struct B: Codable {} }", "\n    static func jsonSchema()"),
        ("@Generatable final class A: Codable { var `in`: Int! }", "var `in`: Int?"),
        ("@Generatable struct A: Codable { let a, b: UInt8 }", #".init("a", UInt8.self)"#),
        ("@Generatable struct A: Codable { let a: (Int) }", "var a: Int?"),
        (
            "@Generatable struct A: Codable { let a: Swift.Optional<[String: [B]]> }",
            "var a: [String: [B.PartiallyGenerated]]?"
        ),
        (##"@Generatable(#"a "\n" b"#) struct A: Codable {}"##, #""a \"\\n\" b""#),
        ("@Generatable(\"a\\u{7}\\\"b\" + \"c\") struct A: Codable {}", #""a\u{7}\"bc""#),
        ("@Generatable(\"\"\"\n  a\n    b\\\n  c\n  \"\"\") struct A: Codable {}", #""a\n  bc""#),
        ("@Generatable struct A: Codable { @Guide(Guides.age) let age: Int }", "guides: [Guides.age]"),
        (
            "@Generatable struct A: Codable { let a, b: Int; enum CodingKeys: String, CodingKey { case a = \"α\" } }",
            #".init("α", Int.self),"#
        ),
        (
            "@Generatable @Observable final class A: Codable { var a: Int; enum CodingKeys: String, CodingKey { case _a = \"α\" } }",
            #".init("α", Int.self),"#
        ),
        (
            "@Observation.Observable @Generatable final class A: Codable { let a: Int; @ObservationIgnored var b: Int }",
            ".init(\"a\", Int.self),\n                .init(\"b\", Int.self),"
        ),
        (
            "@Observable @Generatable final class A: Codable { var a: Int; init(from decoder: any Decoder) throws {} }",
            #".init("a", Int.self),"#
        ),
        (
            "@Observable @Generatable final class A: Codable { var a: Int; enum CodingKeys: CodingKey { case a }; init(from decoder: any Decoder) throws {} }",
            #".init("a", Int.self),"#
        ),
    ])
    func `declarations of all forms are expanded`(source: String, expected: String) {
        let expansion = Expansion(source)
        #expect(expansion.diagnostics.isEmpty)
        #expect(expansion.text.contains(expected), "\(expansion.text)")
    }
}

import LeapConstraints
import Testing

@testable import LeapEngine

@Suite("Constraint cache")
struct ConstraintCacheTests {
    @Test("the same source gives the same constraint, and another kind of source a different one")
    func shared() throws {
        let cache = ConstraintCache()
        let first = try cache.constraint(.jsonSchema("true"))
        #expect(try cache.constraint(.jsonSchema("true")).isIdentical(to: first))
        #expect(try !cache.constraint(.regex("true")).isIdentical(to: first))
    }

    /// Sources that contain a letter, and a text that they permit.
    enum Source: CaseIterable {
        case schema, regex, grammar, pattern, patternOfSchema

        func source(_ letter: String) -> ConstraintSource {
            let schema = "{\"enum\":[\"\(letter)\"]}"
            return switch self {
            case .schema: .jsonSchema(schema)
            case .regex: .regex("\"\(letter)\"")
            case .grammar: .grammar("root ::= \"\\\"\(letter)\\\"\"")
            case .pattern: .pattern(.choice([.sequence([.text("\"\(letter)\"")])]), [], spelling: .json)
            case .patternOfSchema: .pattern(.document(0), [NamedSchema("x", schema)], spelling: .json)
            }
        }
    }

    @Test("canonically equivalent sources get different constraints, and both are cached", arguments: Source.allCases)
    func spelling(source: Source) throws {
        let cache = ConstraintCache()
        let letters = ["\u{C5}", "\u{212B}"]
        let constraints = try letters.map { try cache.constraint(source.source($0)) }
        for (letter, constraint) in zip(letters, constraints) {
            #expect(try cache.constraint(source.source(letter)).isIdentical(to: constraint))
            var state = constraint.makeState()
            let rejected = state.advance("\"\(letter)\"".utf8)
            #expect(rejected == nil && state.isAccepting)
        }
        #expect(cache.count == 2)
    }

    @Test("the number of cached constraints is limited, and the most recently used are kept")
    func bounded() throws {
        let cache = ConstraintCache()
        let first = try cache.constraint(.regex("x"))
        for number in 0..<ConstraintCache.limit * 3 {
            _ = try cache.constraint(.regex("x{\(number)}"))
            #expect(try cache.constraint(.regex("x")).isIdentical(to: first))
        }
        #expect(cache.count == ConstraintCache.limit)
    }
}

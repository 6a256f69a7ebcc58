import LeapConstraints
import Testing

@testable import LeapEngine

@Suite("Constraint cache")
struct ConstraintCacheTests {
    @Test("the same source gives the same constraint, another kind of source another one")
    func shared() throws {
        let cache = ConstraintCache()
        let first = try cache.constraint(.jsonSchema("true"))
        #expect(try cache.constraint(.jsonSchema("true")).isIdentical(to: first))
        #expect(try !cache.constraint(.regex("true")).isIdentical(to: first))
    }

    @Test("sources that Unicode takes for equal are two")
    func spelling() throws {
        let cache = ConstraintCache()
        for letter in ["\u{C5}", "\u{212B}", "\u{C5}"] {
            var state = try cache.constraint(.jsonSchema("{\"enum\":[\"\(letter)\"]}")).makeState()
            let rejected = state.advance("\"\(letter)\"".utf8)
            #expect(rejected == nil && state.isAccepting)
        }
        #expect(cache.count == 1)
    }

    @Test("however many sources come, as many constraints are kept as fit, those used last")
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

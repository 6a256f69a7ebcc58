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

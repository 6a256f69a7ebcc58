import ArgumentParser
import LeapBlocks

/// Types of keys or values as the user types them, `f16` or `f16,q8_0`.
struct CacheTypeList: ExpressibleByArgument {
    let types: [KeyValueType]

    init?(argument: String) {
        let names = argument.split(separator: ",", omittingEmptySubsequences: false)
        types = names.compactMap { KeyValueType(name: String($0)) }
        guard types.count == names.count else { return nil }
    }

    static var allValueStrings: [String] { KeyValueType.allCases.map { "\($0)" } }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

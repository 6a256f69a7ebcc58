import ArgumentParser
import LeapQuantize

extension ModelShape: ExpressibleByArgument {
    init?(argument: String) {
        guard let shape = Self.named(argument) else { return nil }
        self = shape
    }

    static var allValueStrings: [String] { all.map(\.name) }

    var defaultValueDescription: String { name }
}

extension FileType: ExpressibleByArgument {
    init?(argument: String) { self.init(name: argument) }

    static var allValueStrings: [String] { allCases.map(\.name) }

    var defaultValueDescription: String { name }
}

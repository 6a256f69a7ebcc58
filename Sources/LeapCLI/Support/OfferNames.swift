#if Server
import Foundation
import LeapServer
import LeapToolSupport

/// The names by which clients choose between a server's models.
enum OfferNames {
    typealias Offer = ServerConfiguration.Offer

    /// Offers with different names: a file that is given twice is offered once, and files of the same name are named
    /// after their folders too, `1/model` and `2/model`.
    static func distinct(_ offers: [Offer]) -> [Offer] {
        let offers = withoutRepetitions(offers)
        let groups = Dictionary(grouping: offers.indices.filter { offers[$0].remote == nil }) { offers[$0].id }
        var result = offers
        for group in groups.values where group.count > 1 {
            let places = group.map { components(of: offers[$0]) }
            let longest = places.map(\.count).max() ?? 1
            let names = (2...max(longest, 2)).lazy.map { count in
                places.map { $0.suffix(count).joined(separator: "/") }
            }
            // `requireDistinct` refuses places that no number of folders distinguishes.
            guard let names = names.first(where: { Set($0).count == $0.count }) else { continue }
            for (index, name) in zip(group, names) { result[index].id = name }
        }
        return result
    }

    /// - Throws: If two models have a name in common, as only one of them could be chosen by it.
    static func requireDistinct(_ offers: [Offer]) throws {
        var owners: [String: Int] = [:]
        for (index, offer) in offers.enumerated() {
            for name in [offer.id] + offer.aliases {
                guard let other = owners.updateValue(index, forKey: name), other != index else { continue }
                throw CommandError(
                    "two models are named '\(name)': \(place(of: offers[other])) and \(place(of: offer)); "
                        + "give one of them another name")
            }
        }
    }

    private static func withoutRepetitions(_ offers: [Offer]) -> [Offer] {
        var result: [Offer] = []
        for offer in offers {
            if offer.remote == nil,
                let first = result.firstIndex(where: { $0.remote == nil && isSame($0.path, offer.path) })
            {
                result[first].aliases += offer.aliases.filter { !result[first].aliases.contains($0) }
                result[first].unlistedAliases += offer.unlistedAliases
            } else {
                result.append(offer)
            }
        }
        return result
    }

    private static func isSame(_ path: String, _ other: String) -> Bool {
        URL(filePath: path).standardizedFileURL.path == URL(filePath: other).standardizedFileURL.path
    }

    /// The parts of a model's place as it was given: of a name, or of a path, whose file is named without extension.
    private static func components(of offer: Offer) -> [String] {
        let place = offer.aliases.first ?? offer.unlistedAliases.first ?? offer.path
        let path = URL(filePath: place).standardizedFileURL.path
        let name = path.hasSuffix(".gguf") ? String(path.dropLast(5)) : path
        return name.split(separator: "/").map(String.init)
    }

    private static func place(of offer: Offer) -> String {
        offer.remote == nil ? "'\(offer.path)'" : "a model of another server"
    }
}
#endif

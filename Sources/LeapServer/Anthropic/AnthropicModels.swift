import Foundation
import HTTPTypes
import LeapJSON

/// Models as Anthropic's API tells of them, at the addresses that OpenAI's has as well.
enum AnthropicModels {
    /// All of them, on one page.
    static func list(_ cards: [ModelCard]) -> Reply {
        .json([
            "data": .array(cards.map(json)), "has_more": false, "first_id": cards.first.map { .string($0.id) } ?? .null,
            "last_id": cards.last.map { .string($0.id) } ?? .null,
        ])
    }

    /// One of them, or that there is none of this name.
    static func model(_ name: String, _ shelf: ModelShelf, _ exchange: Exchange) -> Reply {
        do { return .json(json(try shelf.card(name))) } catch {
            return Route.Dialect.anthropic.reply(error, id: exchange.id)
        }
    }

    private static func json(_ card: ModelCard) -> JSONValue {
        let created = Date(timeIntervalSince1970: TimeInterval(card.created))
        return [
            "type": "model", "id": .string(card.id), "display_name": .string(card.id),
            "created_at": .string(created.formatted(.iso8601)),
        ]
    }
}

extension Exchange {
    /// Whether a client of Anthropic's asks, which always says for which version of that API.
    var isAnthropic: Bool { HTTPField.Name("anthropic-version").map { headers[$0] != nil } ?? false }
}

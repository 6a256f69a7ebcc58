import Foundation
import HTTPTypes
import LeapJSON

/// Models in the format of Anthropic's API, at the paths that it shares with OpenAI's.
enum AnthropicModels {
    /// All of them, on one page.
    static func list(_ cards: [ModelCard]) -> Reply {
        .json([
            "data": .array(cards.map(json)), "has_more": false, "first_id": cards.first.map { .string($0.id) } ?? .null,
            "last_id": cards.last.map { .string($0.id) } ?? .null,
        ])
    }

    /// One of them, or an error if there is none of this name.
    static func model(_ name: String, _ pool: ModelPool, _ exchange: Exchange) -> Reply {
        do { return .json(json(try pool.card(name))) } catch {
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
    /// Whether the client uses Anthropic's API; such clients always send its version.
    var isAnthropic: Bool { HTTPField.Name("anthropic-version").map { headers[$0] != nil } ?? false }
}

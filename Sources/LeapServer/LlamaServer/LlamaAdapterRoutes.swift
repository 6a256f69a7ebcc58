import HTTPTypes
import LeapEngine
import LeapJSON
import LeapModels
import OrderedCollections

/// What llama-server's clients ask of LoRA adapters: what there is, and how much each weighs in answers that do not say it
/// themselves.
struct LlamaAdapterRoutes: Sendable {
    let core: ServerCore

    var routes: [Route] {
        [
            Route(
                method: .get, path: "/lora-adapters", about: "Lists the adapters of a model, the only one or ?model=ID"
            ) { exchange, _ in try await list(exchange) },
            Route(
                method: .post, path: "/lora-adapters",
                about: "Sets how much adapters weigh, by a list of objects of id and scale; others do not weigh"
            ) { exchange, _ in try await set(exchange) },
        ]
    }

    private func list(_ exchange: Exchange) async throws -> Reply {
        let model = try await model(exchange)
        let adapters = zip(model.weights.adapters, model.adapterScales).enumerated().map {
            index, adapter -> JSONValue in
            // Only the file's name: where it lies is no client's business.
            return JSONValue.object([
                "id": .integer(index), "path": .string(adapter.0.fileName), "scale": .number(Double(adapter.1)),
            ])
        }
        return .json(.array(adapters))
    }

    private func set(_ exchange: Exchange) async throws -> Reply {
        let document = try exchange.document()
        guard let list = document.array else {
            throw APIError.expected("an array of objects of id and scale", at: "body", found: document)
        }
        let scales = try AdapterFields.scales(list, path: "body")
        let model = try await model(exchange)
        do {
            try model.setAdapterScales(try model.adapterScales(numbered: scales))
        } catch {
            throw APIError(engine: error)
        }
        return .json(["success": true])
    }

    private func model(_ exchange: Exchange) async throws -> LoadedModel {
        try await core.lease(exchange.parameter("model")).engine.model()
    }
}

/// How requests say how much adapters weigh.
enum AdapterFields {
    static let id = Field.integer("id", 0...1_000_000, "the adapter's number, from 0 on")
    static let scale = Field.number("scale", -1000...1000, "how much it weighs: 1 as it was trained, 0 not at all")

    /// The scales of a list of objects by the adapters' numbers.
    static func scales(_ list: [JSONValue], path: String) throws(APIError) -> [Int: Float] {
        var scales: [Int: Float] = [:]
        for (index, element) in list.enumerated() {
            let fields = try FieldReader(element, path: "\(path)[\(index)]")
            let number = try fields.required(id)
            guard scales[number] == nil else {
                throw .invalid("\(path)[\(index)].id", "is \(number), which stands in the list already")
            }
            scales[number] = Float(try fields.required(scale))
        }
        return scales
    }
}

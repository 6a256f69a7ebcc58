import HTTPTypes
import LeapEngine
import LeapJSON
import LeapModels
import OrderedCollections

/// llama-server's routes for LoRA adapters: their list, and their scales in requests that do not set any.
struct LlamaAdapterRoutes: Sendable {
    let core: ServerCore

    var routes: [Route] {
        [
            Route(
                method: .get, path: "/lora-adapters",
                about: "Lists the LoRA adapters of a model (?model=ID, if there are several models)"
            ) { exchange, _ in try await list(exchange) },
            Route(
                method: .post, path: "/lora-adapters",
                about:
                    "Sets the scales of LoRA adapters from an array of objects with id and scale; all others "
                    + "are set to 0"
            ) { exchange, _ in try await set(exchange) },
        ]
    }

    private func list(_ exchange: Exchange) async throws -> Reply {
        let model = try await model(exchange)
        let adapters = zip(model.weights.adapters, model.adapterScales).enumerated().map {
            index, adapter -> JSONValue in
            // Only the file's name: clients should not see where it is.
            return JSONValue.object([
                "id": .integer(index), "path": .string(adapter.0.fileName), "scale": .number(Double(adapter.1)),
            ])
        }
        return .json(.array(adapters))
    }

    private func set(_ exchange: Exchange) async throws -> Reply {
        let document = try exchange.document()
        guard let list = document.array else {
            throw APIError.expected("an array of objects with id and scale", at: "body", found: document)
        }
        let scales = try AdapterFields.scales(list, path: "body")
        let lease = try await core.lease(exchange.parameter("model"))
        let model = try lease.engine.model()
        do {
            core.pool.set(lease.card, adapterScales: try model.adapterScales(numbered: scales))
        } catch {
            throw APIError(engine: error)
        }
        return .json(["success": true])
    }

    private func model(_ exchange: Exchange) async throws -> LoadedModel {
        try await core.lease(exchange.parameter("model")).engine.model()
    }
}

/// The fields for the scales of adapters.
enum AdapterFields {
    static let id = Field.integer("id", 0...1_000_000, "number of the adapter, starting at 0")
    static let scale = Field.number(
        "scale", Double(Adapter.scales.lowerBound)...Double(Adapter.scales.upperBound),
        "scale of the adapter: 1 as trained, 0 to disable it")

    /// The scales of a list of objects by the adapters' numbers.
    static func scales(_ list: [JSONValue], path: String) throws(APIError) -> [Int: Float] {
        var scales: [Int: Float] = [:]
        for (index, element) in list.enumerated() {
            let fields = try FieldReader(element, path: "\(path)[\(index)]")
            let number = try fields.required(id)
            guard scales[number] == nil else {
                throw .invalid("\(path)[\(index)].id", "is \(number), which is already in the list")
            }
            scales[number] = Float(try fields.required(scale))
        }
        return scales
    }
}

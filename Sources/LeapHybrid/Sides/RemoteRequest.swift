import LeapJSON
import LeapOpenAIClient
import LeapSDKTypes
import OrderedCollections

extension ChatCompletionRequest {
    /// Creates a request for the answer to a history.
    ///
    /// - Throws: ``HybridError/unsupported(_:_:)`` for constraints that the server does not support.
    init(_ request: RoutingRequest, to remote: RemoteModel) throws {
        let options = request.options
        guard options.regexConstraint == nil, options.grammarConstraint == nil else {
            throw HybridError.unsupported(.remote, .grammars)
        }
        let history = RemoteHistory(request.messages, sendsReasoning: remote.sendsReasoning)
        self.init(model: remote.model, messages: history.messages, includeUsage: true)
        setSampling(options)
        if remote.dialect == .extended { setMoreSampling(options) }
        let limit = [options.maxOutputTokens, options.maxTokens].compactMap { $0 }.min()
        if remote.dialect == .extended { maxTokens = limit } else { maxCompletionTokens = limit }
        if !request.functions.isEmpty { tools = request.functions.map(ChatCompletionTool.init) }
        if let schema = options.jsonSchemaConstraint {
            responseFormat = .jsonSchema(name: "answer", schema: try JSONValue(parsing: schema), strict: nil)
        }
        remote.prepare(&self)
    }

    private mutating func setSampling(_ options: GenerationOptions.Values) {
        temperature = options.temperature.map(Double.init)
        topP = options.topP.map(Double.init)
        frequencyPenalty = options.frequencyPenalty.map(Double.init)
        presencePenalty = options.presencePenalty.map(Double.init)
        stop = options.stopStrings.isEmpty ? nil : options.stopStrings
        seed = options.rngSeed.map { Int(truncatingIfNeeded: $0 & UInt64(Int.max)) }
    }

    private mutating func setMoreSampling(_ options: GenerationOptions.Values) {
        topK = options.topK
        minP = options.minP.map(Double.init)
        repetitionPenalty = options.repetitionPenalty.map(Double.init)
        if let thinks = options.enableThinking {
            extraBody["chat_template_kwargs"] = ["enable_thinking": .bool(thinks)]
        }
    }
}

extension ChatCompletionTool {
    init(_ function: LeapFunction) {
        self.init(
            name: function.name, description: function.functionDescription, parameters: function.parametersSchema)
    }
}

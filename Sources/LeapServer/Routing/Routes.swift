import HTTPTypes

/// All that the server answers.
enum Routes {
    static func all(_ core: ServerCore) -> [Route] {
        let dialects =
            OpenAIRoutes(core: core).routes + ResponsesRoutes(core: core).routes + LlamaServerRoutes(core: core).routes
            + TokenRoutes(core: core).routes + LlamaCompletionRoutes(core: core).routes
            + LlamaAdapterRoutes(core: core).routes
            + AnthropicRoutes(core: core).routes + OllamaRoutes(core: core).routes + EmbeddingRoutes(core: core).routes
            + AudioRoutes(core: core).routes + [core.sessionRoute]
        let document = OpenAPIDocument.make(dialects)
        let description = Route(
            method: .get, path: "/openapi.json", isPublic: true, about: "Returns this OpenAPI description"
        ) { _, _ in .json(document) }
        let gateway = RemoteGateway(core: core)
        let answered = core.hasRemotes ? dialects.map(gateway.opening) : dialects
        return answered + [description] + (core.configuration.servesPage ? WebPage().routes : [])
    }
}

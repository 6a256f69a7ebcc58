#if Server
import ArgumentParser
import Foundation
import LeapConvert
import LeapEngine
import LeapGGUF
import LeapHub
import LeapServer
import LeapToolSupport
import Logging

/// `leap serve`: serves models over HTTP.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serves models over HTTP.",
        discussion: """
            Implements the APIs of OpenAI, Anthropic, ollama and llama-server, and serves a web page at /. Requests \
            are processed in parallel, and an answer does not depend on other clients.

            Models are files, folders of files, Hugging Face folders, or model names, which are downloaded if \
            necessary. The first is loaded at startup, others on the first request; -m and -hf name further ones, after \
            the arguments. NAME=url:https://host/v1 is a model on another server, to which requests in OpenAI's format \
            are forwarded.
            """)

    @Argument(
        help: "GGUF files, folders of GGUF files, model names, or NAME=url:ADDRESS (default: the built-in leap-tiny).",
        completion: .file())
    var models: [String] = []

    @OptionGroup(title: "Models") var named: OfferFlags
    @OptionGroup var listening: ListeningFlags
    @OptionGroup(title: "Operations") var operations: OperationsFlags
    @OptionGroup(title: "Sharing") var sharing: SharingFlags
    @OptionGroup(title: "Remote models") var remote: RemoteFlags
    @OptionGroup(title: Self.answers) var common: CommonGenerationFlags
    @OptionGroup(title: Self.answers, visibility: .hidden) var filters: FilterFlags
    @OptionGroup(title: Self.answers) var thinking: ThinkingFlags
    @OptionGroup(title: Self.answers) var variables: TemplateVariableFlags
    @OptionGroup(title: "Engine") var template: TemplateFlags
    @OptionGroup(title: "Engine") var engine: EngineFlags
    @OptionGroup(title: "Engine") var cacheTypes: CacheTypeFlags
    @OptionGroup(title: "Engine") var vision: VisionFlags
    @OptionGroup(title: "Engine") var adapters: AdapterFlags
    @OptionGroup(title: "Engine") var compute: ComputeFlags
    @OptionGroup(title: "Download") var hub: HubFlags
    @OptionGroup var foreign: ForeignFlags

    /// llama-server's flag for what is always the case here.
    @Flag(name: .customLong("no-context-shift"), help: .hidden)
    private var keepsContext = false

    /// The title of the flags that say how requests are answered.
    private static let answers = "Answers, unless a request says otherwise"

    func run() async throws {
        try foreign.heed()
        var models = try named.all(models)
        if models.isEmpty {
            // Logs of services stay as they are.
            if Console.errorIsTerminal { Console.error(DefaultModel.notice) }
            models = [.builtIn]
        }
        guard models.contains(where: \.isBuiltIn) else { return try await serve(offers(of: models, builtIn: "")) }
        try await DefaultModel.withFile { try await serve(offers(of: models, builtIn: $0)) }
    }

    /// The models with the settings that flags make.
    private func complete(_ offers: [ServerConfiguration.Offer]) throws -> [ServerConfiguration.Offer] {
        let count = offers.count { $0.remote == nil }
        let single = [
            ("--lora", !adapters.all.isEmpty), ("--draft-model", engine.draftModel != nil),
            ("--chat-template", template.isGiven),
        ]
        for (flag, isGiven) in single where isGiven && count != 1 {
            throw CommandError("\(flag) requires exactly one local model, but \(count) are given")
        }
        let (defaults, template) = (try answerDefaults(), try template.source())
        return offers.map { offer in
            let recommended = offer.defaults.sampling
            var offer = offer
            offer.defaults = defaults
            offer.defaults.sampling = defaults.sampling.over(recommended)
            if offer.remote == nil { offer.chatTemplate = template ?? offer.chatTemplate }
            return offer
        }
    }

    /// How models answer requests that do not say.
    ///
    /// - Throws: A usage error if the variables of templates are not JSON.
    func answerDefaults() throws -> AnswerDefaults {
        var chat = ChatRequest([], templateVariables: try variables.values(), AnswerOptions())
        common.apply(to: &chat.options)
        filters.apply(to: &chat.options.sampling)
        thinking.apply(to: &chat)
        var defaults = AnswerDefaults()
        defaults.sampling = chat.options.sampling
        defaults.seed = chat.options.seed
        defaults.maxTokens = chat.options.maxTokens
        defaults.thinkingBudget = chat.options.thinkingBudget
        defaults.thinks = chat.thinks
        defaults.inlinesThoughts = chat.options.inlinesThoughts ?? false
        defaults.templateVariables = chat.templateVariables
        return defaults
    }

    private func serve(_ offers: [ServerConfiguration.Offer]) async throws {
        let manager = try ServiceManager.take()
        var configuration = try listening.configuration(manager.socket)
        try operations.apply(to: &configuration)
        sharing.apply(to: &configuration)
        configuration.models = listening.named(try complete(OfferNames.distinct(offers)))
        try OfferNames.requireDistinct(configuration.models)
        if offers.contains(where: { $0.remote != nil }) {
            configuration.transport = try RemoteFlags.transport(places: configuration.parallel + configuration.queue)
        }
        let server = Server(
            configuration, compute: try compute.makeCompute(), logger: Logger(label: "leap.serve")
        ) { [engine, cacheTypes, vision, adapters] path, template in
            var options = engine.options(
                path: path, template: template, rendersMessages: true, cacheTypes, vision, adapters)
            VoiceFlags.addFilesBeside(&options)
            return options
        }
        do { try server.readCertificates() } catch { throw CommandError("\(error)") }
        do { try await server.preload() } catch {
            throw CommandError("the model cannot be loaded: \(Failure.text(of: error))")
        }
        Server.raiseConnectionLimit()
        // Clients whose answers are cut off get an error, unless they have stopped reading.
        let patience = sharing.drainDelay + listening.drain + Self.closingTime
        let signals = ServerSignals(server, drain: patience, hasCertificate: configuration.tls != nil) {
            manager.tell(.stopping)
        }
        defer { signals.cancel() }
        let pagePrefix = configuration.servesPage ? configuration.prefix : nil
        do {
            try await server.run { address in
                Console.line("listening on \(address)")
                manager.tell(.ready)
                // Logs of services stay as they are.
                if Console.errorIsTerminal, let page = Self.page(at: address, pagePrefix) {
                    Console.error("A chat page for browsers is at \(page)")
                }
            }
        } catch ListeningError.addressInUse where listening.usesPort {
            throw CommandError(
                "cannot listen on \(listening.addressText): another program uses this port; choose one with --port, "
                    + "or 0 for a free one")
        } catch {
            throw CommandError("cannot listen on \(listening.addressText): \(Failure.text(of: error))")
        }
    }

    /// The address of the web page.
    ///
    /// - Parameters:
    ///   - address: What the server listens on.
    ///   - prefix: The prefix of all paths; `nil` if there is no page.
    /// - Returns: `nil` if there is no page, or browsers cannot open it.
    static func page(at address: String, _ prefix: String?) -> String? {
        guard let prefix, address.hasPrefix("http") else { return nil }
        return "\(address)\(prefix)/"
    }

    /// Seconds until the server exits even if clients do not react to its shutdown.
    private static let closingTime = 2

    /// The models that arguments and flags name, with folders resolved to files.
    ///
    /// - Parameter builtIn: The file of the built-in model.
    private func offers(of models: [OfferFlags.Named], builtIn: String) async throws -> [ServerConfiguration.Offer] {
        var offers: [ServerConfiguration.Offer] = []
        let remotes = try models.compactMap { try RemoteArgument($0.text) }
        let remoteOffers = Dictionary(try remote.offers(remotes).map { ($0.id, $0) }) { first, _ in first }
        for given in models {
            let argument = given.text
            if let name = try RemoteArgument(argument)?.name, let offer = remoteOffers[name] {
                offers.append(offer)
                continue
            }
            guard !given.isBuiltIn else {
                offers.append(ServerConfiguration.Offer(id: DefaultModel.name, path: builtIn))
                continue
            }
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder)
            if exists, isFolder.boolValue, !ModelFolder.isModelFolder(argument) {
                offers += try Self.files(in: argument)
                continue
            }
            offers.append(try await offer(of: given, isFolder: isFolder.boolValue))
        }
        return offers
    }

    /// A local model, which is downloaded or converted if necessary.
    ///
    /// - Parameter isFolder: Whether the argument is a model's folder.
    private func offer(of given: OfferFlags.Named, isFolder: Bool) async throws -> ServerConfiguration.Offer {
        let argument = given.text
        let name = try given.name ?? ModelName(argument)
        let model = try await hub.bring(name)
        let path = model.path
        // A converted folder is offered under its own name instead of that of its file in the cache.
        let id = isFolder ? URL(filePath: argument).standardizedFileURL.path : path
        var offer = ServerConfiguration.Offer(id: Self.id(of: id), path: path)
        if case .file = name { offer.unlistedAliases = [argument] } else { offer.aliases = [argument] }
        if case .stored(let stored) = model {
            offer.path = stored.modelPath
            offer.chatTemplate = try stored.templateInReserve
            offer.defaults.sampling = SamplingOverrides(stored.manifest)
        }
        return offer
    }

    /// The models of a folder, of a split set one.
    static func files(in folder: String) throws -> [ServerConfiguration.Offer] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let files = names.filter {
            $0.hasSuffix(".gguf") && !$0.hasPrefix("mmproj") && ModelFileRole(fileName: $0) == .model
                && ShardName($0)?.number ?? 1 == 1
        }
        guard !files.isEmpty else { throw CommandError("'\(folder)' contains no GGUF files") }
        return files.map { ServerConfiguration.Offer(id: id(of: $0), path: "\(folder)/\($0)") }
    }

    private static func id(of path: String) -> String {
        let name = URL(fileURLWithPath: path).lastPathComponent
        return name.hasSuffix(".gguf") ? String(name.dropLast(5)) : name
    }
}
#endif

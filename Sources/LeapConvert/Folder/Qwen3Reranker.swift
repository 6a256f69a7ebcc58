import LeapBlocks
import LeapGGUF
import LeapJSON

/// Converts a Qwen 3 reranker, whose score is the probability that its next token is "yes" rather than "no".
///
/// The files are those of a language model; only their model card, `README.md`, states their purpose. Source: the model
/// card of Qwen3-Reranker, which has the prompt; keys and names as llama.cpp's converter writes them.
struct Qwen3Reranker {
    /// The model card.
    static let card = "README.md"

    private let yes: Int
    private let no: Int

    private static let prompt = """
        <|im_start|>system
        Judge whether the Document meets the requirements based on the Query and the Instruct provided. \
        Note that the answer can only be "yes" or "no".<|im_end|>
        <|im_start|>user
        <Instruct>: Given a web search query, retrieve relevant passages that answer the query
        <Query>: {query}
        <Document>: {document}<|im_end|>
        <|im_start|>assistant
        <think>

        </think>


        """

    /// - Returns: `nil` for any other model.
    init?(_ folder: ModelFolder, _ recipe: ArchitectureRecipe) throws(ConversionError) {
        guard recipe.name == ArchitectureRecipe.qwen3.name,
            folder.beginning(of: Self.card)?.lowercased().contains("# qwen3-reranker") ?? false
        else { return nil }
        let tokenizer = try folder.json("tokenizer.json")
        let added = try TokenizerFiles.addedTokens(tokenizer, folder.file("tokenizer.json"))
        func id(_ text: String) throws(ConversionError) -> Int {
            let id = added.first { $0.text == text }?.id ?? tokenizer["model"]?["vocab"]?[text]?.wholeNumber
            guard let id, id >= 0 else {
                throw .vocabulary(
                    path: folder.file("tokenizer.json"),
                    problem: "has no token '\(text)', which is needed to score documents")
            }
            return id
        }
        yes = try id("yes")
        no = try id("no")
    }

    /// The tensors with the output projection replaced by its two relevant rows.
    func judging(_ tensors: [TensorConversion]) throws(ConversionError) -> [TensorConversion] {
        let names = ["output.weight", "token_embd.weight"]
        guard let head = names.lazy.compactMap({ name in tensors.first { $0.name == name } }).first,
            head.dimensions.count == 2, max(yes, no) < head.dimensions[1]
        else { throw .missingTensor(name: "lm_head.weight") }
        let classifier = TensorConversion(
            name: "cls.output.weight", type: head.type, dimensions: [head.dimensions[0], 2], content: head.content,
            arrangement: Arrangement(rows: .chosen([yes, no])))
        return [classifier] + tensors.filter { $0.name != "output.weight" }
    }

    func write(to writer: inout GGUFWriter) {
        var keys = KeyWriter(architecture: ArchitectureRecipe.qwen3.name, writer: writer)
        keys.set("pooling_type", 4)
        keys.writer.set("\(keys.architecture).classifier.output_labels", strings: ["yes", "no"])
        keys.writer.set("tokenizer.chat_templates", strings: ["rerank"])
        keys.writer.set("tokenizer.chat_template.rerank", .string(Self.prompt))
        writer = keys.writer
    }
}

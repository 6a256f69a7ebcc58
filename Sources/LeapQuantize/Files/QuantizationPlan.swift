package import LeapBlocks
package import LeapGGUF

/// The target type of every tensor of a file.
package struct QuantizationPlan: Sendable {
    /// A tensor and its target type.
    package struct Conversion: Sendable {
        package let tensor: GGUFTensor
        package let type: GGMLType
        /// The size in the target type, in bytes.
        package let byteCount: Int
    }

    package let file: GGUFFile
    package let recipe: QuantizationRecipe
    /// In the file's order.
    package let conversions: [Conversion]
    /// The user's rules that match no tensor, or only tensors that are copied.
    package let idleRules: [TensorTypeRule]
    /// Tensors that get another type than the mix's, because their rows do not fill that type's blocks.
    package let fallbackCount: Int

    /// Bytes of all tensors.
    package var byteCount: Int { conversions.reduce(0) { $0 + $1.byteCount } }

    /// - Throws: ``QuantizationError`` if a tensor cannot get its type.
    package init(_ file: GGUFFile, _ recipe: QuantizationRecipe) throws(QuantizationError) {
        self.file = file
        self.recipe = recipe
        let roles = TensorRoles(file)
        var conversions: [Conversion] = []
        var fallbackCount = 0
        for tensor in file.tensors {
            let type = try Self.type(of: tensor, roles, recipe)
            if Self.fallsBack(tensor, roles, recipe) { fallbackCount += 1 }
            guard let size = type.byteCount(elements: tensor.elementCount) else {
                throw .partialBlock(tensor: tensor.name, type: type, columns: tensor.dimensions[0])
            }
            conversions.append(Conversion(tensor: tensor, type: type, byteCount: size))
        }
        self.conversions = conversions
        self.fallbackCount = fallbackCount
        let converted = file.tensors.filter { Self.role(of: $0, roles, recipe) != nil }.map(\.name)
        idleRules = recipe.rules.filter { rule in !converted.contains(where: rule.matches) }
    }

    /// The role of a tensor; `nil` for tensors that are copied.
    private static func role(of tensor: GGUFTensor, _ roles: TensorRoles, _ recipe: QuantizationRecipe) -> TensorRole? {
        recipe.keepsOutput && tensor.name == "output.weight" ? nil : roles.role(of: tensor)
    }

    private static func type(
        of tensor: GGUFTensor, _ roles: TensorRoles, _ recipe: QuantizationRecipe
    ) throws(QuantizationError) -> GGMLType {
        guard let role = role(of: tensor, roles, recipe) else { return tensor.type }
        let columns = tensor.dimensions[0]
        let wanted = wanted(tensor, role, recipe)
        if let wanted, !columns.isMultiple(of: wanted.elementsPerBlock) {
            throw .partialBlock(tensor: tensor.name, type: wanted, columns: columns)
        }
        let type = wanted ?? mixed(tensor, role, roles, recipe, columns: columns)
        guard type != tensor.type else { return type }
        guard tensor.type.isSupportedWeight else { throw .unreadableType(tensor: tensor.name, type: tensor.type) }
        guard tensor.type.elementsPerBlock == 1 || recipe.allowsRequantizing else {
            throw .alreadyQuantized(tensor: tensor.name, type: tensor.type)
        }
        return type
    }

    /// The type that the mix chooses for a tensor with rows of the given length.
    private static func mixed(
        _ tensor: GGUFTensor, _ role: TensorRole, _ roles: TensorRoles, _ recipe: QuantizationRecipe, columns: Int
    ) -> GGMLType {
        recipe.fileType.tensorType(
            of: recipe.isPure ? .matrix : role, columns: columns, in: roles.model,
            isExperts: recipe.isPure || tensor.dimensions.count > 2, hasImportance: recipe.hasImportance)
    }

    /// Whether the mix would choose another type if the tensor's rows filled all blocks.
    private static func fallsBack(_ tensor: GGUFTensor, _ roles: TensorRoles, _ recipe: QuantizationRecipe) -> Bool {
        guard let role = role(of: tensor, roles, recipe), wanted(tensor, role, recipe) == nil else { return false }
        func type(_ columns: Int) -> GGMLType { mixed(tensor, role, roles, recipe, columns: columns) }
        return type(tensor.dimensions[0]) != type(GGMLType.Q4_K.elementsPerBlock)
    }

    /// The type that the user requests by a flag; `nil` if the mix decides.
    private static func wanted(
        _ tensor: GGUFTensor, _ role: TensorRole, _ recipe: QuantizationRecipe
    ) -> GGMLType? {
        if tensor.name == "token_embd.weight", let type = recipe.embeddingType { return type }
        if role == .output, let type = recipe.outputType { return type }
        return recipe.rules.first { $0.matches(tensor.name) }?.type
    }
}

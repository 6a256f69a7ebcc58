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
        let matchers = recipe.rules.map(TensorTypeMatcher.init)
        var converted: [String] = []
        var conversions: [Conversion] = []
        var fallbackCount = 0
        for tensor in file.tensors {
            var type = tensor.type
            if let role = Self.role(of: tensor, roles, recipe) {
                let wanted = Self.wanted(tensor, role, recipe, matchers)
                type = try Self.type(of: tensor, role, wanted, roles, recipe)
                if wanted == nil, Self.fallsBack(tensor, role, roles, recipe) { fallbackCount += 1 }
                converted.append(tensor.name)
            }
            guard let size = type.byteCount(elements: tensor.elementCount) else {
                throw .partialBlock(tensor: tensor.name, type: type, columns: tensor.dimensions[0])
            }
            conversions.append(Conversion(tensor: tensor, type: type, byteCount: size))
        }
        self.conversions = conversions
        self.fallbackCount = fallbackCount
        idleRules = matchers.filter { !converted.contains(where: $0.matches) }.map(\.rule)
    }

    /// The role of a tensor; `nil` for tensors that are copied.
    private static func role(of tensor: GGUFTensor, _ roles: TensorRoles, _ recipe: QuantizationRecipe) -> TensorRole? {
        recipe.keepsOutput && tensor.name == "output.weight" ? nil : roles.role(of: tensor)
    }

    /// The type of a tensor for which the user requests the type `wanted`.
    private static func type(
        of tensor: GGUFTensor, _ role: TensorRole, _ wanted: GGMLType?, _ roles: TensorRoles,
        _ recipe: QuantizationRecipe
    ) throws(QuantizationError) -> GGMLType {
        let columns = tensor.dimensions[0]
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
    private static func fallsBack(
        _ tensor: GGUFTensor, _ role: TensorRole, _ roles: TensorRoles, _ recipe: QuantizationRecipe
    ) -> Bool {
        func type(_ columns: Int) -> GGMLType { mixed(tensor, role, roles, recipe, columns: columns) }
        return type(tensor.dimensions[0]) != type(GGMLType.Q4_K.elementsPerBlock)
    }

    /// The type that the user requests by a flag; `nil` if the mix decides.
    private static func wanted(
        _ tensor: GGUFTensor, _ role: TensorRole, _ recipe: QuantizationRecipe, _ matchers: [TensorTypeMatcher]
    ) -> GGMLType? {
        if tensor.name == "token_embd.weight", let type = recipe.embeddingType { return type }
        if role == .output, let type = recipe.outputType { return type }
        return matchers.first { $0.matches(tensor.name) }?.rule.type
    }
}

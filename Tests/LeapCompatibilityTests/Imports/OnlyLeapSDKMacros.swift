import LeapSDKMacros

func schema<Value: GeneratableType>(of type: Value.Type) -> String { JSONSchemaGenerator.getJSONSchema(for: type) }

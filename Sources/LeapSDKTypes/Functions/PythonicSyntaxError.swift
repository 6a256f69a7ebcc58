@_exported public import struct LeapChat.ToolCallError

/// Why a model's function call cannot be read; the name of versions 0.10.
public typealias PythonicSyntaxError = ToolCallError

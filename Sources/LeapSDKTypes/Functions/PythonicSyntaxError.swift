@_exported public import struct LeapChat.ToolCallError

/// The error of a function call that cannot be parsed, under its name in versions 0.10.
public typealias PythonicSyntaxError = ToolCallError

// The module of version 0.3 for values of Swift types, which are LeapSDK's own since.
@_exported public import LeapSDK

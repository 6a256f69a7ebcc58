@_exported public import struct LeapHub.ModelManifest
@_exported public import LeapSDK

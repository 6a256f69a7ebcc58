// What `@Generatable` makes refers to it by this module's name.
@_exported public import struct LeapJSON.PartialJSON
@_exported public import struct LeapJSON.PartialJSONParser

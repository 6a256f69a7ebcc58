import LeapBlocks

/// How keys and values are stored; `nil` means as the model's weights suggest.
struct KeyValueChoice: Hashable {
    var keys: KeyValueType?
    var values: KeyValueType?
}

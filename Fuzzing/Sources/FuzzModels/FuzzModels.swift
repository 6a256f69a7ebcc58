import Foundation

// The functions that libFuzzer calls: they have C names, and libFuzzer provides `main`. Source: documentation of
// libFuzzer, headings "Fuzz Target" and "Structure-Aware Fuzzing".

/// Builds a model file from an input's edits, and uses it as a program would.
///
/// - Returns: 0; -1 for an input that is not worth keeping.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let edits = Edit.list(UnsafeBufferPointer(start: data, count: data == nil ? 0 : count))
    guard let bytes = Draft.encoded(edits) else { return -1 }
    // To inspect the file of an input.
    if let path = ProcessInfo.processInfo.environment["FUZZ_SAVE"] {
        _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
        for edit in edits { print(edit) }
    }
    Exercise(Options(edits), adapting: Draft.adaptedModel(edits)).run(bytes)
    return 0
}

/// Changes an input in place.
///
/// - Returns: The number of its bytes.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateInput(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int, _ seed: CUnsignedInt) -> Int {
    var random = Mutation(seed: seed)
    if random.isOneOf(8) { return LLVMFuzzerMutate(data, count, limit) }
    let edits = random.mutated(Edit.list(UnsafeBufferPointer(start: data, count: count)))
    return Edit.write(edits, to: data, limit)
}

/// Combines two inputs into one.
///
/// - Returns: The number of its bytes.
@_cdecl("LLVMFuzzerCustomCrossOver")
public func crossInputs(
    _ first: UnsafePointer<UInt8>, _ firstCount: Int, _ second: UnsafePointer<UInt8>, _ secondCount: Int,
    _ output: UnsafeMutablePointer<UInt8>, _ limit: Int, _ seed: CUnsignedInt
) -> Int {
    var random = Mutation(seed: seed)
    let edits = random.crossed(
        Edit.list(UnsafeBufferPointer(start: first, count: firstCount)),
        Edit.list(UnsafeBufferPointer(start: second, count: secondCount)))
    return Edit.write(edits, to: output, limit)
}

/// libFuzzer's own byte mutations.
@_extern(c)
private func LLVMFuzzerMutate(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int) -> Int

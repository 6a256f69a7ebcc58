import Foundation
import LeapBlocks
import LeapGGUF

/// The differences between two files, regardless of the order of their keys and tensors.
struct FileComparison {
    /// One difference per line: `tensor blk.0.ffn_up.weight: F16 → Q8_0`.
    /// Control characters are escaped.
    let lines: [String]

    init(_ before: GGUFFile, _ after: GGUFFile) throws {
        lines = (Self.metadata(before.metadata, after.metadata) + Self.tensors(before, after)).map(singleLine)
        for file in [before, after] { try file.checkNothingLost() }
    }

    private static func metadata(_ before: GGUFMetadata, _ after: GGUFMetadata) -> [String] {
        let removed = before.keys.filter { !after.contains($0) }.compactMap { key in
            MetadataElement(before, key).map { "key \(key): \($0.brief) → absent" }
        }
        let others = after.keys.compactMap { key -> String? in
            guard let new = MetadataElement(after, key) else { return nil }
            guard let old = MetadataElement(before, key) else { return "key \(key): absent → \(new.brief)" }
            return old.isSame(as: new) ? nil : "key \(key): \(ValueDifference.text(old, new))"
        }
        return removed + others
    }

    private static func tensors(_ before: GGUFFile, _ after: GGUFFile) -> [String] {
        let removed = before.tensors.filter { tensor(named: $0.name, in: after) == nil }
            .map { "tensor \($0.name): \(brief($0)) → absent" }
        let others = after.tensors.compactMap { new -> String? in
            guard let old = tensor(named: new.name, in: before) else {
                return "tensor \(new.name): absent → \(brief(new))"
            }
            if old.type != new.type || old.dimensions != new.dimensions {
                return "tensor \(new.name): \(brief(old)) → \(brief(new))"
            }
            return isEqual(old.bytes, new.bytes) ? nil : "tensor \(new.name): \(changes(old, new))"
        }
        return removed + others
    }

    /// The tensor whose name has the same bytes. Swift also takes names for equal that only look the same.
    private static func tensor(named name: String, in file: GGUFFile) -> GGUFTensor? {
        file.tensor(named: name).flatMap { $0.name.utf8.elementsEqual(name.utf8) ? $0 : nil }
    }

    private static func isEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        return memcmp(first, second, left.count) == 0
    }

    private static func brief(_ tensor: GGUFTensor) -> String { "\(tensor.type.name) \(tensor.dimensions)" }

    /// The number of blocks whose bytes differ, and the first of them, counted from 0.
    private static func changes(_ old: GGUFTensor, _ new: GGUFTensor) -> String {
        let size = old.type.bytesPerBlock
        let count = old.byteCount / size
        var (changed, first) = (0, 0)
        for block in 0..<count {
            let range = block * size..<(block + 1) * size
            let isSame = isEqual(
                UnsafeRawBufferPointer(rebasing: old.bytes[range]), UnsafeRawBufferPointer(rebasing: new.bytes[range]))
            guard !isSame else { continue }
            if changed == 0 { first = block }
            changed += 1
        }
        let unit = old.type.elementsPerBlock == 1 ? "element" : "block"
        return "values differ in \(changed) of \(count) \(unit)s, first in \(unit) \(first)"
    }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension GGUFError: LocalizedError {
    /// Same as `description`, for code that prints `localizedDescription`.
    public var errorDescription: String? { description }
}

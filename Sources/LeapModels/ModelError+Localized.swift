#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ModelError: LocalizedError {
    /// Same as `description`, for code that prints `localizedDescription`.
    public var errorDescription: String? { description }
}

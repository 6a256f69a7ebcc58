import LeapEngine
import LeapGeneration

extension PrefixCacheConfiguration {
    /// Converts the app's cache options. `nil` caches in memory, within the default limits, and not on disk; options that
    /// are not enabled cache nothing.
    ///
    /// The vendor's SDK caches nothing without options. An app notices the difference in the time to the first token, and
    /// in `GenerationStats`, whose prompt tokens are those that were not cached.
    init(_ options: LiquidCacheOptions?) {
        guard let options else {
            self.init()
            return
        }
        guard options.enabled else {
            self.init(memory: .none)
            return
        }
        self.init(
            memory: PrefixCacheLimits(
                maxEntries: Int(clamping: options.maxEntriesMemory), maxBytes: Int(clamping: options.maxBytesMemory)))
        guard !options.diskDisabled else { return }
        let entries = [options.maxEntriesDisk, options.maxEntries].first { $0 > 0 }.map { Int($0) }
        disk = Disk(
            path: options.path, maxEntries: entries ?? Disk.defaultMaxEntries,
            maxBytes: options.maxBytesDisk.map { Int(clamping: $0) } ?? Disk.defaultMaxBytes)
    }
}

import ArgumentParser
import LeapOps
import LeapToolSupport

/// Numbers of threads, `1,2,-1`: a ``NumberList`` where -1 and 0 stand for the CPUs available to this process.
struct ThreadList: ExpressibleByArgument {
    let values: [Int]

    init?(argument: String) {
        var values: [Int] = []
        for field in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let numbers = field == "-1" ? [-1] : NumberList(argument: String(field))?.values else { return nil }
            values += numbers.map { ComputeFlags.count($0) ?? CPUCount.permitted }
        }
        self.values = values
    }
}

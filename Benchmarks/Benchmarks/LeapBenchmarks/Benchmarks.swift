import Benchmark

/// All benchmarks; the package's plugin calls this. Each topic has a file, and a line here.
let benchmarks: @Sendable () -> Void = {
    registerProducts()
    registerDequantization()
    registerPrefill()
    registerAttention()
    registerForwardPasses()
    registerSharedWork()
    registerAllocations()
    registerSamplers()
    registerConstraints()
    registerTokenizers()
    registerTemplates()
}

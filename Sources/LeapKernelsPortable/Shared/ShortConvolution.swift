/// One step of the gated short convolution; see `FloatKernels.ShortConvolution`.
func shortConvolution(
    _ gates: UnsafePointer<Float>, _ state: UnsafeMutablePointer<Float>, _ filter: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>, _ channels: Int, _ taps: Int
) {
    let (b, c, x) = (gates, gates + channels, gates + 2 * channels)
    let history = taps - 1
    for i in 0..<channels {
        let newest = b[i] * x[i]
        let coefficients = filter + i * taps
        var sum = coefficients[history] * newest
        for t in 0..<history {
            let past = state[t * channels + i]
            sum += coefficients[t] * past
            // The oldest value leaves; every other moves one place back.
            if t > 0 { state[(t - 1) * channels + i] = past }
        }
        if history > 0 { state[(history - 1) * channels + i] = newest }
        output[i] = c[i] * sum
    }
}

/// The values that the indices of `IQ4_NL` and `IQ4_XS` select.
var nonLinearSteps: SIMD16<Int16> {
    @inline(__always) get { SIMD16(-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113) }
}

/// The ways in which models compute the Gaussian error linear unit, `x · Φ(x)`. They differ by up to 5·10⁻⁴.
///
/// Source: Hendrycks and Gimpel 2016, "Gaussian Error Linear Units (GELUs)", section 2.
public enum GELUForm: Sendable {
    /// By a hyperbolic tangent.
    case tanh
    /// By the error function.
    case exact
}

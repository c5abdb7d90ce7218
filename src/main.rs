//! The doorway of the `hazard` binary.

fn main() -> std::process::ExitCode {
    hazard::cli::run()
}

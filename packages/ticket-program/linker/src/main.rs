//! `link-program <object> <program> <v0|v3>`: links one object of clang's BPF target into a Solana program.
//!
//! The command line of sbpf-linker links LLVM bitcode only; its library also takes objects.
use sbpf_linker::{OptimizationConfig, ProgramOptions, SbpfArch, SbpfLinkerError, link_program};
use std::{env, error::Error, fs};

/// In bytes. Has no effect on objects: clang has assigned the stack already.
const STACK_FRAME: i32 = 4096;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [object, program, version] = arguments.as_slice() else {
        return Err("usage: link-program <object> <program> <v0|v3>".into());
    };
    let arch = match version.as_str() {
        "v0" => SbpfArch::V0,
        "v3" => SbpfArch::V3,
        _ => return Err(format!("unknown sBPF version: {version}").into()),
    };
    let options = ProgramOptions::new(OptimizationConfig::disabled(), arch, STACK_FRAME);
    let linked = link_program(&fs::read(object)?, options)
        .map_err(|errors| SbpfLinkerError::format_errors(&errors))?;
    fs::write(program, linked)?;
    Ok(())
}

use pinocchio::error::ProgramError;
use pinocchio::sysvars::get_sysvar;
use pinocchio::sysvars::rent::{ACCOUNT_STORAGE_OVERHEAD, RENT_ID};

/// The exemption threshold of the rent sysvar, as the bits of an f64: 2.0 so far, 1.0 with SIMD-0194.
const TWO_YEARS: u64 = 0x4000_0000_0000_0000;
const ONE: u64 = 0x3ff0_0000_0000_0000;

/// Lamports that make an account of this size rent-exempt. Not pinocchio's own `Rent`, which reads the form of SIMD-0194 alone and
/// would find half of what another cluster asks.
///
/// Errors: `InvalidArgument` for a form of the rent that is not known.
pub fn rent_exempt_lamports(size: usize) -> Result<u64, ProgramError> {
    let mut rent = [[0; 8]; 2];
    get_sysvar(rent.as_flattened_mut(), &RENT_ID, 0)?;
    let [lamports_per_byte, threshold] = rent.map(u64::from_le_bytes);
    let years = match threshold {
        TWO_YEARS => 2,
        ONE => 1,
        _ => return Err(ProgramError::InvalidArgument),
    };
    // No cluster asks 4 SOL for a byte. A product that fits in 64 bits needs no multiplication in 128 bits, which BPF has not.
    let lamports_per_byte = u32::try_from(lamports_per_byte).map_err(|_| ProgramError::InvalidArgument)?;
    let bytes = u32::try_from(size).map_err(|_| ProgramError::InvalidArgument)?;
    u64::from(bytes)
        .checked_add(ACCOUNT_STORAGE_OVERHEAD)
        .and_then(|bytes| bytes.checked_mul(u64::from(lamports_per_byte)))
        .and_then(|lamports| lamports.checked_mul(years))
        .ok_or(ProgramError::ArithmeticOverflow)
}

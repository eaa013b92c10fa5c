use solana_program_log::log_data;

use crate::layout::Layout;

/// Writes an event to the log, where clients read it.
pub fn emit<T: Layout>(event: &T) {
    log_data(&[bytemuck::bytes_of(event)]);
}

import { Foundation } from './2026-11-20-foundation.ts';
import { Chain } from './2026-11-21-chain.ts';
import { StaffSide } from './2026-11-22-staff.ts';

/** Every migration in the order in which they run. A released one is never edited. */
export const MIGRATIONS = [
  { name: '2026-11-20-foundation', class: Foundation },
  { name: '2026-11-21-chain', class: Chain },
  { name: '2026-11-22-staff', class: StaffSide },
];

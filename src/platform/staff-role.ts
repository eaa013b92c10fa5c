/** Each role has the rights of those before it (`partners/rights.ts`). */
export const STAFF_ROLES = ['support', 'reviewer', 'admin'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

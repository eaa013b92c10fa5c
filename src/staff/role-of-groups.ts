import type { StaffProviderConfig } from '../config/config.ts';
import { STAFF_ROLES, type StaffRole } from '../entities/staff.ts';

/** The highest role that any of the groups gives; undefined where none gives one. */
export function roleOfGroups(
  roleGroups: StaffProviderConfig['roleGroups'],
  groups: readonly string[],
): StaffRole | undefined {
  return STAFF_ROLES.findLast((role) => roleGroups[role].some((group) => groups.includes(group)));
}

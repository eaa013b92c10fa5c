import type { Context } from '../context.ts';
import { StaffLink, StaffSession, StaffSignIn } from '../entities/staff.ts';

/** Deletes expired sessions, sign-ins and links of staff. */
export async function purgeSignIns({ em, now }: Pick<Context, 'em' | 'now'>): Promise<void> {
  const over = { expiresAt: { $lt: now() } };
  await em.nativeDelete(StaffSession, over);
  await em.nativeDelete(StaffSignIn, over);
  await em.nativeDelete(StaffLink, over);
}

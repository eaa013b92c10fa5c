import type { Client } from '../../entities/client.ts';
import { clientStopped } from '../../entities/stopped.ts';

const USABLE_STATUSES = ['sandbox-ready', 'enabled'] as const satisfies Client['status'][];

/** Whether a client may start sign-ins and get tokens. @param client with `stopped` populated; without it, it is not usable */
export function isUsable({ status, stopped }: Pick<Client, 'status' | 'stopped'>): boolean {
  const usable: readonly Client['status'][] = USABLE_STATUSES;
  return usable.includes(status) && stopped === false;
}

/** `isUsable` in SQL. @param client alias of a `client` row */
export function usableClient(client: string): string {
  const statuses = USABLE_STATUSES.map((status) => `'${status}'`).join(', ');
  return `${client}.status in (${statuses}) and not exists (${clientStopped(`${client}.id`)})`;
}

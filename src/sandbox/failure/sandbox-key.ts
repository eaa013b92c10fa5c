import { raw } from '@mikro-orm/core';
import { Client } from '../../entities/client.ts';
import type { Context, WriteContext } from '../../platform/context.ts';
import { hashOf, newSandboxKey, type SecretValue } from '../../platform/identifier/secret-value.ts';
import { type Id, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { requireSandboxClient } from './write-simulation.ts';

/**
 * Makes the key with which a sandbox client's developers, and their CI, arm failures. The key before stops working.
 * @returns the key, which is shown once
 * @throws DomainError `not_found`; `invalid_request` for a production client
 */
export async function makeSandboxKey(
  context: WriteContext,
  clientId: string,
  actor: string,
): Promise<SecretValue<'sandbox_key'>> {
  const client = await requireSandboxClient(context, clientId);
  const key = newSandboxKey();
  await context.em.fork().transactional(async (em) => {
    // no edit of the registration: its version stays
    await em.nativeUpdate(Client, { id: client }, { sandboxKeyHash: hashOf(key), version: raw<number>('version') });
    recordAudit({ ...context, em }, { actor, action: 'client.sandbox_key_made', subject: client });
  });
  return key;
}

const KEY = /^sbk_[A-Za-z0-9_-]{43}$/;

/** The sandbox client of a key; undefined where no client has it. */
export async function clientOfSandboxKey(
  { em }: Pick<Context, 'em'>,
  key: string,
): Promise<{ id: Id<'client'>; uuid: Uuid } | undefined> {
  if (!KEY.test(key)) return undefined;
  const client = await em.findOne(Client, { sandboxKeyHash: hashOf(key), mode: 'sandbox' });
  return client ? { id: client.id, uuid: uuidOf('client', client.id) } : undefined;
}

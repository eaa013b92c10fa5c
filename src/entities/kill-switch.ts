import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { Client } from './client.ts';
import { Fan } from './fan.ts';
import { uniqueSqlIndex } from './sql-index.ts';

export const KILL_SWITCH_KINDS = ['client', 'fan', 'co_signing', 'sms_country', 'marketplace'] as const;
export type KillSwitchKind = (typeof KILL_SWITCH_KINDS)[number];

/** An active kill switch; the row is deleted when it is released. The audit log has the history. */
const KillSwitchSchema = defineEntity({
  name: 'KillSwitch',
  indexes: [
    uniqueSqlIndex(
      'kill_switch_one_of_each',
      'on kill_switch (kind, client_id, fan_id, country, marketplace) nulls not distinct',
    ),
  ],
  properties: {
    id: primaryId('kill'),
    kind: p.enum(KILL_SWITCH_KINDS),
    /** For the kind `client`. */
    client: () => p.manyToOne(Client).nullable().deleteRule('restrict'),
    /** For the kind `fan`. */
    fan: () => p.manyToOne(Fan).nullable().deleteRule('restrict'),
    /** For the kind `sms_country`: ISO 3166-1 alpha-2. */
    country: p.string().length(2).nullable(),
    /** For the kind `marketplace`: its address, base58. */
    marketplace: p.string().length(44).nullable(),
    reason: p.text(),
    setBy: p.string().length(120),
    setAt: p.datetime(),
  },
});

export class KillSwitch extends KillSwitchSchema.class {}
KillSwitchSchema.setClass(KillSwitch);

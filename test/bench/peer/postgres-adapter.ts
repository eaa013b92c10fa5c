import type { Pool } from 'pg';

/**
 * Where oidc-provider keeps codes, grants and tokens: one table with an index for each way it is looked up, one prepared statement per
 * call, the payload as JSON that is not parsed by PostgreSQL.
 */
export const TABLE = `
  create table oidc_payload (
    model text not null,
    id text not null,
    payload json not null,
    grant_id text,
    user_code text,
    uid text,
    consumed_at bigint,
    expires_at timestamptz,
    primary key (model, id)
  );
  create index on oidc_payload (grant_id) where grant_id is not null;
  create unique index on oidc_payload (user_code) where user_code is not null;
  create unique index on oidc_payload (uid) where uid is not null;
  create index on oidc_payload (expires_at)`;

interface Payload {
  grantId?: string;
  userCode?: string;
  uid?: string;
  [field: string]: unknown;
}

interface Row {
  payload: Payload;
  consumed_at: string | null;
}

const COLUMNS = 'payload, consumed_at';
const LIVE = '(expires_at is null or expires_at > now())';

/** @see https://github.com/panva/node-oidc-provider/blob/main/example/my_adapter.js */
export function postgresAdapter(pool: Pool) {
  return class PostgresAdapter {
    model: string;

    constructor(model: string) {
      this.model = model;
    }

    async upsert(id: string, payload: Payload, expiresIn?: number): Promise<void> {
      await pool.query({
        name: 'upsert',
        text: `insert into oidc_payload (model, id, payload, grant_id, user_code, uid, expires_at)
          values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
          on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id,
            user_code = excluded.user_code, uid = excluded.uid, expires_at = excluded.expires_at`,
        values: [
          this.model,
          id,
          JSON.stringify(payload),
          payload.grantId,
          payload.userCode,
          payload.uid,
          expiresIn ?? null,
        ],
      });
    }

    find(id: string): Promise<Payload | undefined> {
      return this.findBy('id', id);
    }

    findByUid(uid: string): Promise<Payload | undefined> {
      return this.findBy('uid', uid);
    }

    findByUserCode(userCode: string): Promise<Payload | undefined> {
      return this.findBy('user_code', userCode);
    }

    async findBy(column: 'id' | 'uid' | 'user_code', value: string): Promise<Payload | undefined> {
      const { rows } = await pool.query<Row>({
        name: `find by ${column}`,
        text: `select ${COLUMNS} from oidc_payload where model = $1 and ${column} = $2 and ${LIVE}`,
        values: [this.model, value],
      });
      const [row] = rows;
      if (row === undefined) return undefined;
      return row.consumed_at === null ? row.payload : { ...row.payload, consumed: Number(row.consumed_at) };
    }

    async consume(id: string): Promise<void> {
      await pool.query({
        name: 'consume',
        text: `update oidc_payload set consumed_at = extract(epoch from now())::bigint where model = $1 and id = $2`,
        values: [this.model, id],
      });
    }

    async destroy(id: string): Promise<void> {
      await pool.query({
        name: 'destroy',
        text: 'delete from oidc_payload where model = $1 and id = $2',
        values: [this.model, id],
      });
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      await pool.query({
        name: 'revoke',
        text: 'delete from oidc_payload where model = $1 and grant_id = $2',
        values: [this.model, grantId],
      });
    }
  };
}

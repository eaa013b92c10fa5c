import { FORM } from '../load.ts';
import { issueCodes } from '../stage/issue-codes.ts';
import type { Path } from './path.ts';

/** `POST /oauth2/token` with fresh codes. */
export const exchange: Path = {
  title: 'code exchange',
  requests: 1_000,
  connections: 32,
  withoutPool: true,
  async prepare(stage, count) {
    const codes = await issueCodes(stage.context(), stage.kit, count);
    const requests = codes.map(({ form }) => ({ headers: FORM, body: form }));
    return { method: 'POST', path: '/oauth2/token', requests };
  },
};

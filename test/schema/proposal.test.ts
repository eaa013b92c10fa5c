import { signEd25519Sync } from '@fan-api/solana-wire/ed25519';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { beforeEach, describe, expect, it } from 'vitest';
import { Permit } from '../../src/entities/permit.ts';
import { carryOutMoves } from '../../src/inventory/custody-move/carry-out-moves.ts';
import type { SignedInStaff } from '../../src/partners/rights.ts';
import { settleProposals } from '../../src/people/proposal/settle-proposals.ts';
import { moreTickets, rows, type TestTicket } from '../support/chain-app.ts';
import { askAs, newStaff } from '../support/staff-call.ts';
import { testChainApp } from '../support/test-chain-app.ts';
import { fundedMarketplace, land, onChain, putOnSale, transfer } from '../support/ticket-transactions.ts';

/** D-146, D-188: one proposes, another one decides; a ticket leaves for a wallet outside. */
const app = await testChainApp();
const [owner, other] = app.users;
const sue = await newStaff(app, 'support');
const ray = await newStaff(app, 'reviewer');
const ada = await newStaff(app, 'admin');
const tickets = await moreTickets(app, owner, { count: 24 });
let ticket: TestTicket;
let permitId: string;
let wallet: Keypair;

beforeEach(async () => {
  const unused = tickets.pop();
  if (!unused) throw new Error('more tickets are needed');
  ticket = unused;
  permitId = (await app.context().em.findOneOrFail(Permit, { tixPermitId: ticket.permit })).id;
  wallet = Keypair.generate();
  app.proxy.reset();
  app.resetClock();
  for (const person of [sue, ray, ada]) person.authenticatedAt = app.runtime.now();
});

const FIELDS = '__typename ... on Proposal { id state outcome } ... on Refusal { code message }';

const statement = (to = wallet.publicKey.toBase58()): Promise<string> =>
  askAs(app, sue, `{ statementToSign(permitId: "${permitId}", destination: "${to}") }`);

function sign(text: string | Uint8Array, by = wallet): string {
  return bs58.encode(signEd25519Sync(by.secretKey.subarray(0, 32), Buffer.from(text as string)));
}

interface Choice {
  as?: SignedInStaff;
  text?: string;
  signature?: string;
  reason?: string;
}

async function proposeIt({ as = sue, reason = 'The fan wrote to us and leaves.', ...choice }: Choice = {}) {
  const text = choice.text ?? (await statement());
  const { signature = sign(text) } = choice;
  return askAs(
    app,
    as,
    `mutation ($permit: ID!, $to: String!, $text: String!, $signature: String!, $reason: String!) {
      proposeMoveOut(permitId: $permit, destination: $to, statement: $text, signature: $signature, reason: $reason) { ${FIELDS} } }`,
    { permit: permitId, to: wallet.publicKey.toBase58(), text, signature, reason },
  );
}

const decide = (name: 'approve' | 'decline' | 'withdraw', id: string, as: SignedInStaff, reason = 'By phone.') =>
  askAs(app, as, `mutation { ${name}Proposal(proposalId: "${id}", reason: "${reason}") { ${FIELDS} } }`);

const read = (id: string) =>
  askAs(app, ray, `{ proposal(id: "${id}") { state outcome mayDecide move { state reason } } }`);

const conflict = (text: string) => ({ code: 'conflict', message: expect.stringContaining(text) });

async function carryOut(): Promise<void> {
  await carryOutMoves(app.context());
  await settleProposals(app.context());
}

async function audited(id: string): Promise<{ action: string; actor: string }[]> {
  return rows(app, `select action, actor from audit_entry where details ->> 'proposal' = $1 order by id`, [id]);
}

describe('a ticket that leaves for a wallet outside', () => {
  it('moves once a second person has approved, and everybody sees where it went', async () => {
    const { id, state } = await proposeIt();
    expect(state).toBe('PROPOSED');
    expect(await onChain(app, ticket)).toMatchObject({ owner: owner.wallet_address });
    expect(await decide('approve', id, ray)).toMatchObject({ state: 'APPROVED' });
    await carryOut();
    expect(await read(id)).toMatchObject({ state: 'DONE', outcome: null, move: { state: 'DONE' } });
    expect(await onChain(app, ticket)).toMatchObject({ owner: wallet.publicKey.toBase58(), state: 'held' });
    expect(await audited(id)).toEqual([
      { action: 'proposal.made', actor: `staff:${sue.id}` },
      { action: 'proposal.approved', actor: `staff:${ray.id}` },
      { action: 'proposal.done', actor: 'system' },
    ]);
    const moved = `{ permit(id: "${permitId}") { ticket { owner { id } } moves { origin destination state } } }`;
    const permit = await askAs(app, sue, moved);
    expect(permit.ticket.owner).toBeNull();
    expect(permit.moves).toEqual([{ origin: id, destination: wallet.publicKey.toBase58(), state: 'DONE' }]);
  });

  it('stays where a sale was first: the proposal has failed, with the wallet that has it', async () => {
    const market = await fundedMarketplace(app);
    await putOnSale(app, market, ticket, owner);
    const { id } = await proposeIt();
    expect(await decide('approve', id, ray)).toMatchObject({ state: 'APPROVED' });
    await land(app, await transfer(app, market, ticket, other.wallet_address));
    await carryOut();
    expect(await read(id)).toMatchObject({ state: 'FAILED', outcome: expect.stringContaining(other.wallet_address) });
    expect((await audited(id)).at(-1)).toMatchObject({ action: 'proposal.failed' });
  });

  it('stays where it has another holder than when it was proposed', async () => {
    const market = await fundedMarketplace(app);
    await putOnSale(app, market, ticket, owner);
    const { id } = await proposeIt();
    const give = 'update ticket set owner_id = (select fan_id from wallet where address = $2) where tix_ticket_id = $1';
    await rows(app, give, [ticket.tixTicketId, other.wallet_address]);
    expect(await decide('approve', id, ray)).toMatchObject(conflict('another holder'));
    expect(await read(id)).toMatchObject({ state: 'PROPOSED' });
    await rows(app, give, [ticket.tixTicketId, owner.wallet_address]);
  });
});

describe('the wallet proves that somebody holds its key', () => {
  it.each([
    ['by the text itself, as browser wallets sign it', (text: string) => sign(text)],
    ['by the text itself, in base64', (text: string) => Buffer.from(bs58.decode(sign(text))).toString('base64')],
    [
      'as `solana sign-offchain-message` signs it',
      (text: string) => {
        const length = Buffer.alloc(2);
        length.writeUInt16LE(text.length);
        const head = Buffer.concat([Buffer.from([0xff]), Buffer.from('solana offchain'), Buffer.from([0, 0]), length]);
        return sign(Buffer.concat([head, Buffer.from(text)]));
      },
    ],
  ])('%s', async (_, signed) => {
    const text = await statement();
    expect(await proposeIt({ text, signature: signed(text) })).toMatchObject({ state: 'PROPOSED' });
  });

  it.each([
    [
      'by another key',
      async () => ({ signature: sign(await statement(), Keypair.generate()) }),
      /not that of this wallet/,
    ],
    ['over another text', async () => ({ signature: sign('I agree') }), /not that of this wallet/],
    [
      'over the statement of another wallet',
      async () => ({ text: await statement(Keypair.generate().publicKey.toBase58()) }),
      /Copy it again/,
    ],
    ['with a changed date', async () => ({ text: (await statement()).replace(/\d{4}-/, '2020-') }), /too old/],
    ['with a signature that is none', async () => ({ signature: 'yes' }), /64 bytes/],
  ])('and is refused %s', async (_, choice, says) => {
    const refused = await proposeIt(await choice());
    expect(refused.code).toBe('invalid_request');
    expect(refused.message).toMatch(says);
  });

  it('within a week', async () => {
    const text = await statement();
    app.advance(8 * 24 * 3600);
    sue.authenticatedAt = app.runtime.now();
    expect(await proposeIt({ text })).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('too old'),
    });
  });

  it('and a wallet or key of ours, a program’s account or a text is none of somebody else', async () => {
    for (const [to, says] of [
      [other.wallet_address, /wallet of a fan/],
      [app.chain.payer, /key of this service/],
      [ticket.permit, /no key can exist/],
      ['nonsense', /32 bytes/],
    ] as const) {
      await expect(statement(to)).rejects.toThrow(says);
    }
  });
});

describe('two people', () => {
  it('who proposed can’t approve or decline, as an admin neither, but can withdraw', async () => {
    const { id } = await proposeIt({ as: ada });
    for (const step of ['approve', 'decline'] as const) {
      expect(await decide(step, id, ada)).toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('someone else'),
      });
    }
    expect(await decide('withdraw', id, ray)).toMatchObject({ code: 'forbidden' });
    expect(await decide('withdraw', id, ada)).toMatchObject({ state: 'WITHDRAWN' });
    expect(await decide('approve', id, ray)).toMatchObject({ code: 'conflict' });
    expect((await read(id)).move).toBeNull();
  });

  it('a declined one is over, and the same can be proposed again', async () => {
    const { id } = await proposeIt();
    expect(await read(id)).toMatchObject({ state: 'PROPOSED', mayDecide: true });
    expect(await proposeIt()).toMatchObject({ code: 'conflict' });
    expect(await decide('decline', id, ray)).toMatchObject({ state: 'DECLINED' });
    expect(await decide('withdraw', id, sue)).toMatchObject({ code: 'conflict' });
    expect(await proposeIt()).toMatchObject({ state: 'PROPOSED' });
  });

  it('after 72 hours nobody can approve it: it has expired, and can be proposed again', async () => {
    const { id } = await proposeIt();
    app.advance(72 * 3600 + 1);
    ray.authenticatedAt = app.runtime.now();
    expect(await read(id)).toMatchObject({ state: 'EXPIRED', mayDecide: false });
    expect(await decide('approve', id, ray)).toMatchObject(conflict('expired'));
    expect(await proposeIt()).toMatchObject({ state: 'PROPOSED' });
    expect((await audited(id)).map(({ action }) => action)).toEqual(['proposal.made', 'proposal.expired']);
    expect((await rows(app, 'select id from custody_move where origin = $1', [id])).length).toBe(0);
  });

  it('two approve at once: one has, the other is told, and the ticket moves once', async () => {
    const { id } = await proposeIt();
    const answers = await Promise.all([decide('approve', id, ray), decide('approve', id, ada)]);
    expect(answers.map(({ __typename }) => __typename).sort()).toEqual(['Proposal', 'Refusal']);
    expect(await rows(app, 'select 1 from custody_move where origin = $1', [id])).toHaveLength(1);
    expect((await audited(id)).filter(({ action }) => action === 'proposal.approved')).toHaveLength(1);
  });

  it('approval and withdrawal at once: one of them, and what follows fits it', async () => {
    const { id } = await proposeIt();
    await Promise.all([decide('approve', id, ray), decide('withdraw', id, sue), decide('decline', id, ada)]);
    const { state, move } = await read(id);
    expect(['APPROVED', 'WITHDRAWN', 'DECLINED']).toContain(state);
    expect(move !== null).toBe(state === 'APPROVED');
  });

  it('two who propose the same at once: one has', async () => {
    const answers = await Promise.all([proposeIt(), proposeIt({ as: ada }), proposeIt()]);
    expect(answers.filter(({ __typename }) => __typename === 'Proposal')).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'conflict')).toHaveLength(2);
  });

  it('an approval that can’t be carried out is refused, and the proposal waits on', async () => {
    const { id } = await proposeIt();
    await rows(app, 'update permit set revoked_at = now() where tix_permit_id = $1', [ticket.permit]);
    expect(await decide('approve', id, ray)).toMatchObject(conflict('revoked'));
    expect(await read(id)).toMatchObject({ state: 'PROPOSED', move: null });
    expect((await audited(id)).map(({ action }) => action)).toEqual(['proposal.made']);
  });

  it('a reason is required from both', async () => {
    expect(await proposeIt({ reason: '  ' })).toMatchObject({ code: 'invalid_request' });
    const { id } = await proposeIt();
    expect(await decide('approve', id, ray, ' ')).toMatchObject({ code: 'invalid_request' });
    expect(await read(id)).toMatchObject({ state: 'PROPOSED' });
  });
});

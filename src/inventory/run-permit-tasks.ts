import { Counter } from 'prom-client';
import type { Chain, WithChains } from '../chain/chains.ts';
import { isUnreadable, type PermitAccount } from '../chain/gateway/read-accounts.ts';
import { encodeInstruction } from '../chain/instruction/instructions.ts';
import { requireAuthority } from '../chain/require-authority.ts';
import type { Context } from '../context.ts';
import { PERMIT_TASK_KINDS } from '../entities/permit-task.ts';
import { idOf } from '../identifier/type-id.ts';
import { syncInBatches } from '../ticket/sync-in-batches.ts';
import { runOwnTransaction } from '../wallet/own-transaction.ts';
import type { WithSigner } from '../wallet/signer.ts';
import { type DueTask, endDone, endForReason, putOff, setAside, takeTasks } from './permit-task-rows.ts';

type TaskContext = Pick<Context, 'pool' | 'now' | 'log' | 'requestId'> & WithChains & WithSigner;

/** What becomes of a task after a look at the chain. */
type Judgement =
  | { next: 'done' }
  | { next: 'end'; reason: string }
  | { next: 'wait'; reason: string; seconds: number }
  | { next: 'sign'; owner: string };

/** Transactions of a run that are under way side by side. */
const SIDE_BY_SIDE = 8;
const LOOK_AGAIN_SECONDS = 60;
/** A transaction lands within about 90 seconds of its blockhash, or never. */
const MAY_LAND_SECONDS = 150;

const failures = new Counter({
  name: 'permit_task_failures_total',
  help: 'Failed attempts to move a permit or close a listing for the company, by kind',
  labelNames: ['kind'],
});
for (const kind of PERMIT_TASK_KINDS) failures.inc({ kind }, 0);

/**
 * Does what is due onchain for the company. Each attempt begins with the permit's account, so a task whose process was killed is
 * taken up by what the chain shows; a transaction that was sent twice can run once only, because the first one changes who may
 * sign. A task that fails stays open with its reason and does not hold up others.
 * @throws DomainError `unavailable` where the cluster can't be reached, or has another authority than ours
 */
export async function runPermitTasks(context: TaskContext): Promise<void> {
  const chain = context.chains.production;
  if (chain === undefined) return;
  for (;;) {
    const tasks = await takeTasks(context.pool, context.now());
    if (tasks.length === 0) return;
    await requireAuthority(chain, await chain.gateway.config());
    for (let at = 0; at < tasks.length; at += SIDE_BY_SIDE) {
      await Promise.all(tasks.slice(at, at + SIDE_BY_SIDE).map((task) => attempt(context, chain, task)));
    }
    const addresses = tasks.filter(({ issued }) => issued).map(({ tix_permit_id }) => tix_permit_id);
    // so that owners and listings show at once; reconciling would find them too
    await syncInBatches(context, 'production', chain.gateway, { addresses, notBefore: 0 });
  }
}

async function attempt(context: TaskContext, chain: Chain, task: DueTask): Promise<void> {
  const { pool, now, log } = context;
  try {
    const before = await judgeNow(context, chain, task);
    if (before.next === 'sign') await sign(context, chain, task, before.owner);
    const after = before.next === 'sign' ? await judgeNow(context, chain, task) : before;
    if (after.next === 'done') await endDone(pool, task, now());
    if (after.next === 'end') await endForReason(pool, task, after.reason, now());
    if (after.next === 'wait') await putOff(pool, task, after.reason, now(), after.seconds);
    if (after.next === 'sign') throw new Error('The chain does not show the transaction yet.');
  } catch (err) {
    failures.inc({ kind: task.kind });
    const reason = err instanceof Error ? err.message : String(err);
    const attempts = await setAside(pool, task, reason, now());
    if (attempts === 1) log.warn({ err, task: idOf('task', task.id) }, 'a permit task failed; it is tried again');
  }
}

async function judgeNow(context: TaskContext, { gateway }: Chain, task: DueTask): Promise<Judgement> {
  if (!task.issued) return wait('The permit is not issued yet.');
  const [account] = await gateway.permits([task.tix_permit_id]);
  if (account === undefined) return wait('The cluster has no such permit.');
  if (isUnreadable(account)) throw new Error(account.reason);
  return task.kind === 'transfer' ? judgeTransfer(task, account) : judgeClosing(task, account, context.now());
}

/** Fans come first: a claim under way is awaited, and whoever bought the ticket keeps it. */
function judgeTransfer({ from_wallet, to_wallet, claimed }: DueTask, { owner }: PermitAccount): Judgement {
  if (to_wallet === null) return { next: 'end', reason: 'The new holder has no wallet.' };
  if (owner === to_wallet) return { next: 'done' };
  if (claimed === 'open') return wait('A claim of the ticket is under way.', 5);
  // not issued when it was asked for: then its owner is a holder of before, unless it was claimed since
  const expected = from_wallet === null ? claimed === null : owner === from_wallet;
  return expected ? { next: 'sign', owner } : { next: 'end', reason: 'The permit belongs to another wallet by now.' };
}

function judgeClosing(task: DueTask, { state, owner }: PermitAccount, now: Date): Judgement {
  if (!task.revoked) return { next: 'end', reason: 'The ticket counts again.' };
  if (state === 'listed') return { next: 'sign', owner };
  const sinceSigned = (now.getTime() - (task.listing_signed_at?.getTime() ?? 0)) / 1000;
  if (sinceSigned < MAY_LAND_SECONDS) return wait('A listing that was signed before may still appear.', 30);
  return { next: 'done' };
}

function wait(reason: string, seconds = LOOK_AGAIN_SECONDS): Judgement {
  return { next: 'wait', reason, seconds };
}

/** The owner's custodial wallet signs what the company's row asks for, and nothing else: the instructions are made here. */
async function sign({ signer }: TaskContext, chain: Chain, task: DueTask, owner: string): Promise<void> {
  const { programId, authority, gateway } = chain;
  const permit = task.tix_permit_id;
  const [account] = await gateway.permits([permit]);
  if (account === undefined || isUnreadable(account) || account.owner !== owner) return;
  const listed = account.state === 'listed';
  const cancel = listed ? [encodeInstruction(programId, 'cancel_listing_v1', { permit, owner, authority }, {})] : [];
  const transfer =
    task.kind === 'transfer' && task.to_wallet !== null
      ? [
          encodeInstruction(
            programId,
            'transfer_permit_v1',
            { permit, transfer_authority: owner, destination: task.to_wallet },
            {},
          ),
        ]
      : [];
  // together or not at all: a listing is never cancelled for a transfer that does not come
  await runOwnTransaction(chain, signer, [...cancel, ...transfer], listed ? [owner, authority] : [owner]);
}

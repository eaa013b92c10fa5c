import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from './flags.ts';
import type { FollowFlags } from './inventory-flags.ts';
import { messageIn, reasonOf } from './send-inventory.ts';

/** Seconds that the service waits for a change. */
const WAIT = 25;
/** Without a byte for this long, the connection is dead. */
const SILENCE_MS = 60_000;
const PAUSE_MS = { first: 1_000, longest: 30_000 };
/** A token or an event that is wrong does not mend itself. */
const FOR_GOOD = [400, 401, 403, 404];
const CURSOR_AHEAD = 410;

/** A call that failed, and may be repeated. */
class Break extends Error {
  readonly pauseMs: number | undefined;

  constructor(message: string, pauseMs?: number) {
    super(message);
    this.pauseMs = pauseMs;
  }
}

/**
 * Prints the tickets as they are and as they change, until a signal. The cursor is kept once the lines before it are written, so every line
 * comes at least once, whenever the process or the service is killed.
 * @param adminUrl without a trailing slash
 * @returns the exit code
 * @throws UsageError where the service refuses the call for good
 */
export async function followFeed(adminUrl: string, { cursor: file, event, token }: FollowFlags): Promise<number> {
  const stopped = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopped.abort());
  let unread = false;
  process.stdout.on('error', () => {
    unread = true;
    stopped.abort();
  });
  const only = event === undefined ? {} : { event };
  let cursor = readCursor(file);
  for (let pauseMs = PAUSE_MS.first; !stopped.signal.aborted; ) {
    const query = new URLSearchParams(cursor === undefined ? only : { ...only, after: cursor, wait: String(WAIT) });
    try {
      cursor = await printLines(
        `${adminUrl}/feed${cursor === undefined ? '' : '/changes'}?${query}`,
        token,
        stopped.signal,
      );
      if (cursor !== undefined) keepCursor(file, cursor);
      pauseMs = PAUSE_MS.first;
    } catch (error) {
      if (stopped.signal.aborted) break;
      if (!(error instanceof Break)) throw error;
      const pause = error.pauseMs ?? pauseMs;
      process.stderr.write(`${error.message} Trying again in ${Math.ceil(pause / 1_000)} seconds.\n`);
      pauseMs = Math.min(2 * pauseMs, PAUSE_MS.longest);
      await sleep(pause, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  }
  return unread ? 1 : 0;
}

/** @returns the next cursor; undefined where a snapshot has to be taken */
async function printLines(url: string, token: string, stopped: AbortSignal): Promise<string | undefined> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const signal = AbortSignal.any([stopped, silence.signal]);
  try {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal });
    if (answer.status === CURSOR_AHEAD) {
      process.stderr.write(`${messageIn(await answer.text()) ?? 'The cursor is ahead.'} Taking one.\n`);
      return undefined;
    }
    if (!answer.ok || answer.body === null) throw refusalOf(answer, messageIn(await answer.text()));
    for await (const line of createInterface({ input: Readable.fromWeb(answer.body as ReadableStream) })) {
      timer.refresh();
      if (line.startsWith('{"cursor":')) {
        await untilWritten();
        return (JSON.parse(line) as { cursor: string }).cursor;
      }
      if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain', { signal: stopped });
    }
    throw new Break('The answer broke off.');
  } catch (error) {
    if (error instanceof Break || error instanceof UsageError || stopped.aborted) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = silence.signal.aborted
      ? 'it is silent'
      : reasonOf(cause instanceof Error ? cause : new Error(String(cause)));
    throw new Break(`The service can’t be reached: ${reason}.`);
  } finally {
    clearTimeout(timer);
  }
}

/** Until everything before is with the reader of the output. */
function untilWritten(): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write('', (error) => (error ? reject(error) : resolve()));
  });
}

function refusalOf({ status, headers }: Response, told = `The service answered ${status}.`): Error {
  if (FOR_GOOD.includes(status)) return new UsageError(told);
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new Break(told, seconds > 0 ? seconds * 1_000 : undefined);
}

function readCursor(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new UsageError(`--cursor: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** All of it or nothing, also where the process is killed meanwhile. */
function keepCursor(file: string, cursor: string): void {
  writeFileSync(`${file}.new`, `${cursor}\n`);
  renameSync(`${file}.new`, file);
}

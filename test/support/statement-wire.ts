import { openProxy } from './wire.ts';

/** Where a wire is cut: `request` before the statement has arrived, `answer` after it has run and before anybody hears of it. */
export type CutPoint = 'request' | 'answer';

/** A call that the wire is cut in, and what must be true after it. */
export interface Turn<Answer> {
  call: () => Promise<Answer>;
  check: (answer: Answer, where: string) => Promise<void>;
}

/** Not of a call: the request log is written beside it, and clock and simulated clients are read. */
const BESIDE = /insert into request_log|clock_timestamp|simulation is not null/;

/** A wire to the database that reads along, and can be cut at a statement. */
export async function openStatementWire(databaseUrl: string) {
  let seen: string[] = [];
  let cut: { at: number; point: CutPoint; stayDown: boolean } | undefined;

  const proxy = await openProxy(databaseUrl, (line) => {
    const { near, far } = line;
    let swallowed: Buffer | undefined;
    const statements = readStatements((batch, text) => {
      if (text === undefined || BESIDE.test(text)) return void far.write(batch);
      seen.push(text);
      if (cut === undefined || seen.length !== cut.at) return void far.write(batch);
      if (cut.point === 'request') return end();
      swallowed = Buffer.alloc(0);
      far.write(batch);
    });
    near.on('data', (bytes) => statements(bytes));
    far.on('data', (bytes) => {
      if (swallowed === undefined) return void near.write(bytes);
      swallowed = Buffer.concat([swallowed, bytes]);
      if (isComplete(swallowed)) end();
    });
    function end() {
      line.end();
      if (cut?.stayDown) void proxy.cut();
      cut = undefined;
    }
  });

  return {
    url: proxy.url,
    /** Cuts the wire once, at the statement of that number from now on. @param stayDown nobody gets through until `mend` */
    cutAt(at: number, point: CutPoint, stayDown = false): void {
      seen = [];
      cut = { at, point, stayDown };
    },
    /**
     * Makes a call again and again, and cuts the wire at its first statement, its second, and so on, until it has no more.
     * @returns the statements at which it was cut
     */
    async sweep<Answer>(
      point: CutPoint,
      prepare: (turn: number) => Promise<Turn<Answer>>,
      most = Number.POSITIVE_INFINITY,
    ): Promise<string[]> {
      const reached: string[] = [];
      for (let at = 1; at <= most; at += 1) {
        const { call, check } = await prepare(at);
        this.cutAt(at, point);
        const answer = await call();
        const text = seen[at - 1];
        if (cut !== undefined || text === undefined) break;
        reached.push(text);
        await check(answer, `the ${point} of statement ${at}: ${text.trim().slice(0, 60)}`);
      }
      await this.mend();
      return reached;
    },
    mend(): Promise<void> {
      cut = undefined;
      return proxy.mend();
    },
    close: proxy.cut,
  };
}

/** Cuts the stream of a client into what it sends until it waits for an answer, with the statement's text. @see PostgreSQL §54.7 */
function readStatements(onBatch: (batch: Buffer, text: string | undefined) => void): (bytes: Buffer) => void {
  const prepared = new Map<string, string>();
  let rest: Buffer = Buffer.alloc(0);
  let batch: Buffer[] = [];
  let text = '';
  let started = false;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const head = started ? 1 : 0;
      if (rest.length < head + 4) return;
      const length = head + rest.readUInt32BE(head);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      batch.push(message);
      const type = started ? String.fromCharCode(message[0] ?? 0) : 'startup';
      started = true;
      const [first = '', second = ''] = message.subarray(5).toString('latin1').split('\0');
      if (type === 'P') {
        prepared.set(first, second);
        text = second;
      } else if (type === 'B') text = prepared.get(second) ?? text;
      else if (type === 'Q') text = first;
      else if (type === 'S' || type === 'startup' || type === 'p' || type === 'X') {
        // the end of a batch, or no statement
      } else continue;
      if (type === 'P' || type === 'B') continue;
      const whole = Buffer.concat(batch);
      batch = [];
      onBatch(whole, type === 'Q' || type === 'S' ? text : undefined);
    }
  };
}

/** Whether the answer to a batch has come in full: its last message is ReadyForQuery. */
function isComplete(answer: Buffer): boolean {
  for (let at = 0; at + 5 <= answer.length; ) {
    const end = at + 1 + answer.readUInt32BE(at + 1);
    if (answer[at] === 'Z'.charCodeAt(0)) return end <= answer.length;
    at = end;
  }
  return false;
}

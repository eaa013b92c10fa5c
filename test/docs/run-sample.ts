import { spawn } from 'node:child_process';
import type { ChainApp } from '../support/chain-app.ts';
import { consent, openedSession, verifyPhone } from '../support/partner.ts';

const LIMIT_MS = 60_000;

interface Sample {
  app: ChainApp;
  /** Where it runs. */
  folder: string;
  command: string;
  /** None where the command is the program itself. */
  file?: string;
  /** Before the buyer's token is given. */
  beforeClaim?: () => Promise<void>;
}

/**
 * Runs a program of the documentation and does what its reader does: signs the first test user in where the browser is sent, and
 * answers its questions. @returns what it printed
 */
export function runSample({ app, folder, command, file, beforeClaim = async () => {} }: Sample): Promise<string> {
  const [, buyer] = app.users;
  const child = spawn(command, file === undefined ? [] : [file], {
    cwd: folder,
    env: { ...process.env, PYTHONUNBUFFERED: '1' },
  });
  let said = '';
  let answered = 0;
  const answers: [question: string, answer: () => Promise<string>][] = [
    ['Paste the address at which the browser ended: ', () => signIn(app, said)],
    [
      'Access token of the buyer: ',
      async () => {
        await beforeClaim();
        return (await buyer.tokens()).access_token;
      },
    ],
  ];
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill();
      reject(new Error(`it does not end:\n${said}`));
    }, LIMIT_MS);
    child.stderr.on('data', (part) => {
      said += part;
    });
    child.stdout.on('data', (part) => {
      said += part;
      const [question, answer] = answers[answered] ?? [];
      if (question === undefined || answer === undefined || !said.includes(question)) return;
      answered++;
      answer().then((text) => child.stdin.write(`${text}\n`), reject);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(said);
      else reject(new Error(`it ended with ${code}:\n${said}`));
    });
  });
}

/** The seller, at a browser that was sent to the last address in the text. @returns where the browser ends */
async function signIn(app: ChainApp, said: string): Promise<string> {
  const [seller] = app.users;
  const address = said.match(/https?:\S+\/oauth2\/authorize\S+/g)?.at(-1) ?? '';
  const answer = await fetch(address, { redirect: 'manual' });
  const session = openedSession(answer);
  await verifyPhone(app, session, { phone: seller.phone, code: seller.code });
  return (await consent(app, session)).href;
}

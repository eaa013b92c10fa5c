import { spawn } from 'node:child_process';
import type { ChainApp, User } from '../support/chain-app.ts';
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

const CALLBACK = 'Paste the address at which the browser ended: ';
const TOKEN = 'Access token of the buyer: ';

/**
 * Runs a program of the documentation and does what its reader does: signs the seller in where the browser is sent, then the buyer if
 * the browser is sent again, and gives the buyer's token where the program asks for it. @returns what it printed
 */
export function runSample({ app, folder, command, file, beforeClaim = async () => {} }: Sample): Promise<string> {
  const [seller, buyer] = app.users;
  const fans = [seller, buyer];
  const child = spawn(command, file === undefined ? [] : [file], {
    cwd: folder,
    env: { ...process.env, PYTHONUNBUFFERED: '1' },
  });
  let said = '';
  /** How much of it was answered. */
  let answered = 0;
  async function answer(question: string): Promise<string> {
    if (question === CALLBACK) return signIn(app, fans.shift() ?? buyer, said);
    await beforeClaim();
    return (await buyer.tokens()).access_token;
  }
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
      const question = [CALLBACK, TOKEN].find((each) => said.includes(each, answered));
      if (question === undefined) return;
      answered = said.length;
      answer(question).then((text) => child.stdin.write(`${text}\n`), reject);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(said);
      else reject(new Error(`it ended with ${code}:\n${said}`));
    });
  });
}

/** A fan at a browser that was sent to the last address in the text. @returns where the browser ends */
async function signIn(app: ChainApp, fan: User, said: string): Promise<string> {
  const address = said.match(/https?:\S+\/oauth2\/authorize\S+/g)?.at(-1) ?? '';
  const answer = await fetch(address, { redirect: 'manual' });
  const session = openedSession(answer);
  await verifyPhone(app, session, { phone: fan.phone, code: fan.code });
  return (await consent(app, session)).href;
}

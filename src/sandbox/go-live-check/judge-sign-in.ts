import {
  advice,
  afterQuiet,
  type EventOf,
  eventsOf,
  type Finding,
  failed,
  type Habits,
  nameOf,
  notObserved,
  passed,
  secondsBetween,
  stillOpen,
  times,
  usesAfter,
  type Watched,
} from './watched.ts';

/** Judges what an app did in a sign-in. Every function is pure: the same requests give the same finding. */

const NO_SIGN_IN = 'No sign-in came while the check was on.';
const WAITS = 'Waiting for a sign-in of your app.';
const FIRST_ORDINARY =
  'Whether your app would have gone on is not known: run the ordinary sign-in first, and let it call with its access token.';
/** Libraries do not read keys again that they read this many seconds ago. */
const KEYS_COOL_DOWN = 60;

/** What the ordinary sign-in has shown, from its events. */
export function habitsOf(watched: Watched): Habits | undefined {
  if (judgeOrdinary(watched).verdict !== 'passed') return undefined;
  const userinfo = eventsOf(watched, 'userinfo')[0];
  const calls = eventsOf(watched, 'api');
  return { uses: true, callsAfterUserinfo: userinfo !== undefined && calls.some(({ at }) => at >= userinfo.at) };
}

/** The ordinary sign-in: what the other checks build on. */
export function judgeOrdinary(watched: Watched): Finding {
  const refusedRequest = eventsOf(watched, 'authorize_refused')[0];
  const exchanges = eventsOf(watched, 'exchange');
  const sound = exchanges.find(({ facts }) => facts.refused === null);
  const uses = sound === undefined ? [] : usesAfter(watched, sound.at);
  if (uses.length > 0) return passed(`The code was exchanged and the access token used: ${listOf(uses.map(nameOf))}.`);
  if (refusedRequest) return failed(`The authorize request was refused: ${refusedRequest.facts.message}.`);
  const refused = exchanges.find(({ facts }) => facts.refused !== null);
  if (sound === undefined && refused) return failed(`The token request was refused: ${refused.facts.refused}.`);
  const [started] = eventsOf(watched, 'authorize');
  if (!started) return stillOpen(watched, WAITS, NO_SIGN_IN);
  return afterQuiet(watched, (sound ?? started).at, () =>
    sound === undefined
      ? failed('The code was sent to your redirect URI, and no token request came.')
      : notObserved('Tokens were issued, but no call with the access token came: not to userinfo, nor to the API.'),
  );
}

/** After a callback that is not to be believed, the code must not be exchanged. @param what `with the wrong state` */
export function judgeCallback(watched: Watched, what: string): Finding {
  const [started] = eventsOf(watched, 'authorize');
  if (!started) return stillOpen(watched, WAITS, NO_SIGN_IN);
  const [exchange] = eventsOf(watched, 'exchange');
  if (exchange) {
    return failed(
      `The code of a callback ${what} was sent to the token endpoint after ${secondsBetween(started.at, exchange.at)}.`,
    );
  }
  return afterQuiet(watched, started.at, () =>
    watched.habits === undefined
      ? notObserved(FIRST_ORDINARY)
      : passed(`After a callback ${what} no token request came.`),
  );
}

interface IdTokenFault {
  /** `with the issuer of another server` */
  what: string;
  /** Whether the standards leave the check to the client. */
  optional?: string;
}

/** Tokens that came with a faulty ID token must not be used. */
export function judgeIdToken(watched: Watched, { what, optional }: IdTokenFault): Finding {
  return onceIssued(watched, (issued) => {
    const [use] = usesAfter(watched, issued.at);
    if (use) {
      const seen = `The ID token came ${what}, and the access token was used all the same: ${nameOf(use)} after ${secondsBetween(issued.at, use.at)}.`;
      return optional === undefined ? failed(seen) : advice(`${seen} ${optional}`);
    }
    return afterQuiet(watched, issued.at, () =>
      watched.habits === undefined
        ? notObserved(FIRST_ORDINARY)
        : passed(`The ID token came ${what}, and the tokens were not used.`),
    );
  });
}

/** As `judgeIdToken`; a request without a nonce is a fault by itself. */
export function judgeNonce(watched: Watched): Finding {
  const bare = eventsOf(watched, 'authorize').find(({ facts }) => !facts.nonce);
  if (bare) {
    return failed(
      'The authorize request has no nonce, so an ID token of another sign-in can’t be told from the right one.',
    );
  }
  return judgeIdToken(watched, { what: 'with another nonce than that of the request' });
}

/** `at_hash` may be missing in the code flow: a client goes on, or is stricter than it has to be. */
export function judgeMissingAtHash(watched: Watched): Finding {
  return onceIssued(watched, (issued) => {
    const [use] = usesAfter(watched, issued.at);
    if (use) return passed(`The ID token had no at_hash, and the sign-in went on: ${nameOf(use)}.`);
    return afterQuiet(watched, issued.at, () =>
      watched.habits === undefined
        ? notObserved(FIRST_ORDINARY)
        : advice(
            'The ID token had no at_hash, and the tokens were not used. This service always sends it; the standard does not ask for it in the code flow.',
          ),
    );
  });
}

/** A token that is signed with a key that was published a moment ago must be accepted. */
export function judgeRotatedKeys(watched: Watched): Finding {
  return onceIssued(watched, (issued) => {
    const [use] = usesAfter(watched, issued.at);
    const read = watched.keysRead.find((at) => at >= issued.at);
    if (use) {
      return passed(
        `The ID token was signed with a new key, and the sign-in went on${read ? ', after the keys were read again' : ''}.`,
      );
    }
    return afterQuiet(watched, issued.at, () => {
      if (watched.habits === undefined) return notObserved(FIRST_ORDINARY);
      const before = watched.keysRead.findLast((at) => at < issued.at);
      const age = before && (issued.at.getTime() - before.getTime()) / 1000;
      if (!read && age !== undefined && age < KEYS_COOL_DOWN) {
        return notObserved(
          `The sign-in ended, but the keys had been read ${Math.round(age)} s before, and libraries do not read them again within a minute. Restart your app, or wait a minute, and repeat.`,
        );
      }
      return failed(
        `The ID token was signed with a new key, and the sign-in ended${read ? ' although the keys were read again' : ' without reading the keys again'}.`,
      );
    });
  });
}

/** A code that was used before: one token request, and nothing after the refusal. */
export function judgeSpentCode(watched: Watched): Finding {
  const exchanges = eventsOf(watched, 'exchange');
  const [first] = exchanges;
  if (exchanges.length > 1) return failed(`A code that was refused as used was sent ${times(exchanges.length)}.`);
  return once(watched, first, 'The code was never sent to the token endpoint.', (exchange) =>
    afterQuiet(watched, exchange.at, () => passed('The refused code was sent once, and not again.')),
  );
}

/** While the token endpoint is slow, the code must not be sent again. */
export function judgeSlowAnswer(watched: Watched): Finding {
  const exchanges = eventsOf(watched, 'exchange');
  const [first] = exchanges;
  if (exchanges.length > 1) {
    return failed(
      `The code was sent ${times(exchanges.length)}: a code that was sent twice ends every token of the sign-in.`,
    );
  }
  return once(watched, first, 'The code was never sent to the token endpoint.', (exchange) =>
    afterQuiet(watched, exchange.at, () => passed('The code was sent once, although the answer was slow.')),
  );
}

/** Userinfo about somebody else: nothing may be called after it. */
export function judgeUserinfo(watched: Watched): Finding {
  const [userinfo] = eventsOf(watched, 'userinfo');
  return once(watched, userinfo, 'Your app did not call userinfo.', (asked) => {
    const use = usesAfter(watched, asked.at).find(({ kind }) => kind !== 'userinfo');
    if (use) {
      return failed(
        `Userinfo named another sub than the ID token, and ${nameOf(use)} followed after ${secondsBetween(asked.at, use.at)}.`,
      );
    }
    return afterQuiet(watched, asked.at, () =>
      watched.habits?.callsAfterUserinfo
        ? passed('Userinfo named another sub than the ID token, and no call followed.')
        : notObserved(
            'No call followed, but your app does not call the API after userinfo in an ordinary sign-in either.',
          ),
    );
  });
}

function onceIssued(watched: Watched, judge: (issued: EventOf<'exchange'>) => Finding): Finding {
  const issued = eventsOf(watched, 'exchange').find(({ facts }) => facts.refused === null);
  return once(watched, issued, 'The code was not exchanged, so the answer was never seen.', judge);
}

/** Judges once an event is there; until then the check is open. */
function once<Event>(
  watched: Watched,
  event: Event | undefined,
  missing: string,
  judge: (event: Event) => Finding,
): Finding {
  if (event !== undefined) return judge(event);
  const [started] = eventsOf(watched, 'authorize');
  if (!started) return stillOpen(watched, WAITS, NO_SIGN_IN);
  return afterQuiet(watched, started.at, () => notObserved(missing));
}

function listOf(names: readonly string[]): string {
  return [...new Set(names)].join(', ');
}

import {
  advice,
  afterQuiet,
  type EventOf,
  eventsOf,
  type Finding,
  failed,
  notObserved,
  passed,
  RETRY_AFTER_SECONDS,
  secondsBetween,
  stillOpen,
  times,
  type Watched,
} from './watched.ts';

/** Judges what an app did with its tokens: at the API, at the token endpoint, and on the chain. */

/** Calls of the API that a sound app may make while each of them is refused. */
const MOST_REFUSED_CALLS = 6;
const MOST_REFRESHES = 3;
/** Calls that were on their way when the first one was refused. */
const UNDER_WAY_MS = 300;
/** Clocks and timers are not exact. */
const EARLY_MS = 250;

/** Seconds. A browser sends a request again as soon as its network is back. */
const BROWSER_RETRY_WINDOW = 10;

const NO_CALL = 'No call of the API came.';
const WAITS = 'Waiting for a sign-in, and a call of the API.';

/** Two callers at the same time, and an access token that has expired: each refresh token is sent once. */
export function judgeRefreshRace(watched: Watched): Finding {
  const refreshes = eventsOf(watched, 'refresh');
  const repeated = refreshes.filter(({ facts }) => facts.repeated);
  if (repeated.length > 0) {
    return failed(
      `A refresh token was sent ${times(repeated.length + 1)}. Here that ends the grant, and the fan has to sign in again.`,
    );
  }
  const calls = eventsOf(watched, 'api');
  const last = watched.events.findLast(({ kind }) => kind === 'api' || kind === 'refresh');
  if (!last) return stillOpen(watched, WAITS, NO_CALL);
  return afterQuiet(watched, last.at, () => {
    if (refreshes.length === 0) {
      return notObserved('No refresh came. Does your app ask for offline_access, and refresh after a 401?');
    }
    const after = calls.filter(({ facts }) => facts.generation > 1);
    if (after.length < 2) {
      return notObserved('Only one caller was seen. Call the API from two tabs or two processes at the same time.');
    }
    return passed(
      `Several calls needed a new access token, and each refresh token was sent once (${refreshCount(refreshes.length)}).`,
    );
  });
}

const LOST = 'The answer to a refresh was lost, and the refresh token was';

/** The answer to a refresh was lost: the token comes again within the client's retry window, or never. */
export function judgeLostRefresh(watched: Watched): Finding {
  const refreshes = eventsOf(watched, 'refresh');
  const [lost] = refreshes;
  const late = refreshes.find(({ facts }) => facts.repeated && facts.refused !== null);
  if (lost && late) {
    return advice(
      `${LOST} sent again after ${secondsBetween(lost.at, late.at)}, outside the retry window of the client. Here that ends the grant as stolen, and the fan has to sign in again. Browsers and Deno send it again by themselves: for an app that keeps refresh tokens there, set a retry window of ${BROWSER_RETRY_WINDOW} seconds where the client is registered.`,
    );
  }
  const last = watched.events.findLast(({ kind }) => kind === 'api' || kind === 'refresh');
  if (!last) return stillOpen(watched, WAITS, NO_CALL);
  return afterQuiet(watched, last.at, () => {
    if (!lost) return notObserved('No refresh came. Does your app ask for offline_access, and refresh after a 401?');
    return passed(
      refreshes.some(({ facts }) => facts.repeated)
        ? `${LOST} sent again within the retry window of the client.`
        : `${LOST} not sent again: the fan signs in again.`,
    );
  });
}

/** Each call is answered 401, with every token: the app gives up. */
export function judgeUnauthorizedStorm(watched: Watched): Finding {
  const calls = eventsOf(watched, 'api');
  const refreshes = eventsOf(watched, 'refresh');
  const counts = `${calls.length} calls of the API and ${refreshCount(refreshes.length)}`;
  if (calls.length > MOST_REFUSED_CALLS || refreshes.length > MOST_REFRESHES) {
    return failed(
      `Every call was answered 401, and there were ${counts}. Refresh once, repeat the call once, then stop.`,
    );
  }
  return onceCalled(watched, calls, (last) =>
    afterQuiet(watched, last.at, () => passed(`Every call was answered 401. There were ${counts}, and then none.`)),
  );
}

/** A 429 with `Retry-After`: nothing is called before that time. */
export function judgeRateLimited(watched: Watched): Finding {
  const calls = eventsOf(watched, 'api');
  const first = calls[0]?.at.getTime() ?? 0;
  const early = calls.filter(({ at }) => {
    const waited = at.getTime() - first;
    return waited > UNDER_WAY_MS && waited < RETRY_AFTER_SECONDS * 1000 - EARLY_MS;
  });
  if (early.length > 0) {
    return failed(`A 429 asked for ${RETRY_AFTER_SECONDS} seconds, and ${early.length} more calls came before that.`);
  }
  return onceCalled(watched, calls, (last) =>
    afterQuiet(watched, last.at, () => {
      const later = calls.filter(({ at }) => at.getTime() - first >= RETRY_AFTER_SECONDS * 1000 - EARLY_MS);
      return passed(
        later.length > 0
          ? `A 429 asked for ${RETRY_AFTER_SECONDS} seconds, and the next call came after that.`
          : 'After a 429 no further call came.',
      );
    }),
  );
}

/** The grant is gone: one refresh may ask, then there is no more. */
export function judgeRevokedGrant(watched: Watched): Finding {
  const calls = eventsOf(watched, 'api');
  const refreshes = eventsOf(watched, 'refresh');
  if (refreshes.length > 1) {
    return failed(
      `After the fan ended the access, the refresh token was sent ${times(refreshes.length)}, although the first answer was invalid_grant.`,
    );
  }
  if (calls.length > MOST_REFUSED_CALLS) {
    return failed(`After the fan ended the access, ${calls.length} calls of the API came.`);
  }
  return onceCalled(watched, calls, (last) =>
    afterQuiet(watched, last.at, () =>
      passed(
        `After the fan ended the access there were ${calls.length} calls of the API and ${refreshCount(refreshes.length)}, and then none.`,
      ),
    ),
  );
}

/** The second listing comes back changed: only the first may be sent on. */
export function judgeTamperedListing(watched: Watched): Finding {
  const listings = eventsOf(watched, 'listing');
  const sent = new Set(eventsOf(watched, 'sent').map(({ facts }) => facts.message));
  const changed = listings.filter(({ facts }) => facts.tampered);
  if (changed.some(({ facts }) => facts.messages.some((message) => sent.has(message)))) {
    return failed('A listing came back with another message than the one you sent, and was sent on to the cluster.');
  }
  const last = watched.events.findLast(({ kind }) => kind === 'listing' || kind === 'sent');
  if (!last) return stillOpen(watched, WAITS, 'No listing came.');
  return afterQuiet(watched, last.at, () => {
    if (changed.length === 0)
      return notObserved('Only one listing came. The second one is the changed one: list twice.');
    const honest = listings.filter(({ facts }) => !facts.tampered).flatMap(({ facts }) => facts.messages);
    if (!honest.some((message) => sent.has(message))) {
      return notObserved(
        'The unchanged listing was not sent to the RPC address of this check either, so nothing can be said about the changed one.',
      );
    }
    return passed('The unchanged listing was sent on, and the changed one was not.');
  });
}

export function judgeForeignMarketplace(watched: Watched): Finding {
  const refused = eventsOf(watched, 'listing').flatMap(({ facts }) => facts.messages);
  const sent = eventsOf(watched, 'sent').map(({ facts }) => facts.message);
  if (refused.some((message) => sent.includes(message))) {
    return failed('A listing was refused, and its transaction was sent to the cluster all the same.');
  }
  const repeated = refused.length - new Set(refused).size;
  if (repeated > 0) return failed(`The same listing was sent again ${times(repeated)}: the refusal stays the same.`);
  const last = watched.events.findLast(({ kind }) => kind === 'listing' || kind === 'sent');
  if (!last) return stillOpen(watched, WAITS, 'No listing came.');
  return afterQuiet(watched, last.at, () => passed('The listing was refused, and nothing was sent on.'));
}

function onceCalled(
  watched: Watched,
  calls: readonly EventOf<'api'>[],
  judge: (last: EventOf<'api'>) => Finding,
): Finding {
  const last = calls.at(-1);
  return last === undefined ? stillOpen(watched, WAITS, NO_CALL) : judge(last);
}

function refreshCount(count: number): string {
  return count === 1 ? '1 refresh' : `${count} refreshes`;
}

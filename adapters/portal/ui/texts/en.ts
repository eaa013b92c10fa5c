import { countIn } from '../../../page-kit/texts/plural.ts';
import type { PortalTexts } from './texts.ts';

const count = countIn('en');
const tickets = (n: number): string => count(n, 'ticket', 'tickets');

export const texts: PortalTexts = {
  title: 'Apps with access to your tickets',
  detail: 'See what each app may do in your name, change it, or end it. Every change counts at once.',
  phoneDetail: 'See and change what you have allowed apps to do. We send a code if your number is known here.',
  sentTo: 'If it is known here, a 6-digit code is on its way to',
  signedInAs: 'Signed in as',
  signOut: 'Sign out',
  signedOut: 'You are signed out.',
  away: 'You were away for a while. Please sign in again.',
  failed: 'This page could not be loaded',
  none: { title: 'No app has access', detail: 'When you connect an app to your tickets, it is shown here.' },
  modes: { sandbox: 'Sandbox', production: 'Live' },
  since: 'Since',
  lastUsed: 'Last used',
  neverUsed: 'not in the last 30 days',
  may: 'It may',
  mayNothing: 'Nothing but know that you have an account here.',
  takeBack: 'Take back',
  takenBack: (action, client) => `${client} may no longer do this: ${action}.`,
  tickets: 'Tickets',
  all: 'All current and future tickets',
  noTickets: 'None. The tickets you chose are gone or over.',
  change: 'Change tickets',
  save: 'Save',
  saved: 'Saved. It counts from now on.',
  cancel: 'Cancel',
  receipt: 'Download receipt',
  end: 'End access',
  endTitle: (client) => `End the access of ${client}?`,
  endDetail: (client) => `${client} can do nothing more in your name, at once. To use it again you sign in there anew.`,
  ended: (client) => `The access of ${client} has ended.`,
  gone: 'This access has ended already.',
  endAll: 'End all access',
  endAllTitle: 'End the access of every app?',
  endAllDetail:
    'No app can do anything more in your name, at once. You can connect each one again by signing in there.',
  endedAll: 'All access has ended.',
  busy: 'One moment',
  history: {
    title: 'What happened',
    empty: 'Nothing yet.',
    older: 'Show older',
    signed: 'What was signed',
    granted: (client, { grantMode, tickets: n }) =>
      `You gave ${client} access to ${grantMode === 'selected' ? tickets(n) : 'all your current and future tickets'}.`,
    takenBack: (client, actions) => `You took this back from ${client}: ${actions}.`,
    chosen: (client, { grantMode, tickets: n }) =>
      `You changed the tickets for ${client}: ${grantMode === 'selected' ? tickets(n) : 'all current and future ones'}.`,
    left: (client, { reason, tickets: n }) =>
      reason === 'event_ended'
        ? `${tickets(n)} left the access of ${client}, because the event is over.`
        : `${tickets(n)} left the access of ${client}, because you no longer hold ${n === 1 ? 'it' : 'them'}.`,
    ended: {
      fan: (client) => `You ended the access of ${client}.`,
      app: (client) => `${client} gave its access back.`,
      service: (client) => `We ended the access of ${client} to protect you.`,
    },
    listed: (client, ticket) => `${client} had a listing of your ticket signed: ${ticket}.`,
    unlisted: (client, ticket) => `${client} had the end of a listing signed: ${ticket}.`,
    claims: {
      pending: (client, ticket) => `${client} is collecting a ticket for you: ${ticket}.`,
      submitted: (client, ticket) => `${client} is collecting a ticket for you: ${ticket}.`,
      confirmed: (client, ticket) => `${client} collected a ticket for you: ${ticket}.`,
      failed: (client, ticket) => `${client} could not collect a ticket for you: ${ticket}.`,
    },
    tried: {
      'tickets.list': (client) => `${client} tried to see your tickets.`,
      'listings.sign': (client) => `${client} tried to put a ticket up for sale, or take it off.`,
      'claims.execute': (client) => `${client} tried to collect a ticket for you.`,
      'token.refresh': (client) => `${client} tried to renew its access.`,
    },
    refused: {
      ended: 'It was refused, because its access had ended.',
      notAllowed: 'It was refused, because you had not allowed this.',
      notFound: 'It was refused, because the ticket is not one that you allowed.',
      rule: 'It was refused, because the request broke a rule.',
    },
    times: (n) => `${n} times within an hour.`,
  },
};

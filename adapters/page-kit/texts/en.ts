import { countIn, durationIn } from './plural.ts';
import type { Texts } from './texts.ts';

const count = countIn('en');
const duration = durationIn('en');

export const texts: Texts = {
  direction: 'ltr',
  actions: {
    'fan:read': { kind: 'see', title: 'See your fan account', detail: 'The general information of your account.' },
    'fan:tickets:read': {
      kind: 'see',
      title: 'See your tickets',
      detail: 'Event, ticket type and purchase date of your upcoming tickets.',
    },
    'fan:listings:read': { kind: 'see', title: 'See your listings', detail: 'Which of your tickets are up for sale.' },
    'fan:profile:read': { kind: 'see', title: 'See your profile', detail: 'The details in your fan profile.' },
    'fan:waitlist:read': { kind: 'see', title: 'See your waitlists', detail: 'The events you are waiting for.' },
    'fan:cart:read': { kind: 'see', title: 'See your cart', detail: 'The tickets you have put in your cart.' },
    'fan:write': { kind: 'act', title: 'Change your fan account', detail: 'Change general settings of your account.' },
    'fan:tickets:write': { kind: 'act', title: 'Manage your tickets', detail: 'Make changes to your tickets for you.' },
    'fan:listings:write': {
      kind: 'act',
      title: 'Put your tickets up for sale',
      detail: 'Offer tickets for sale in your name, and take them off sale again.',
    },
    'fan:claims:write': {
      kind: 'act',
      title: 'Collect tickets for you',
      detail: 'Bring tickets that were transferred to you into your account.',
    },
    'fan:profile:write': { kind: 'act', title: 'Edit your profile', detail: 'Change the details in your fan profile.' },
    'fan:waitlist:write': { kind: 'act', title: 'Join waitlists', detail: 'Put you on a waitlist or take you off it.' },
    'fan:cart:write': { kind: 'act', title: 'Fill your cart', detail: 'Put tickets in your cart or take them out.' },
  },
  ended: {
    session_not_found: {
      title: 'This sign-in link does not work',
      detail: 'It is incomplete, or it belongs to a sign-in that is long over. Nobody was signed in.',
    },
    session_expired: {
      title: 'This sign-in has expired',
      detail: 'For your safety a sign-in stays open for a short time only. Nothing was shared.',
    },
    session_elsewhere: {
      title: 'This sign-in belongs to another browser',
      detail:
        'A sign-in works only in the browser it was started in. If somebody sent you this link, close this page: using it could give them your tickets.',
    },
    too_many_tries: {
      title: 'Too many wrong codes',
      detail: 'To protect your account this sign-in was stopped. Nothing was shared.',
    },
    fan_stopped: {
      title: 'Sign-in with this number is stopped',
      detail:
        'You cannot sign in with it at the moment. Please ask the support of the app that sent you here. Nothing was shared.',
    },
    done: { title: 'You are done here', detail: 'This sign-in has been answered. You can close this page.' },
  },
  failures: {
    wrong_step: () => 'This step was already done. The page now shows where you are.',
    invalid_phone: () => 'No code can be sent to this number. Check it, or use another.',
    resend_too_soon: (seconds = 30) => `You can ask for a new code in ${duration(seconds)}.`,
    wrong_code: () => 'That code is not right.',
    code_expired: () => 'This code has expired. Ask for a new one.',
    invalid_selection: () => 'One of the tickets is no longer there. Check your selection and try again.',
    rate_limited: (seconds) =>
      seconds === undefined
        ? 'No more codes can be sent for this sign-in. Cancel it, and start again from the app.'
        : `That was a lot of tries. Please wait ${duration(seconds)}.`,
    verification_unavailable: (seconds = 60) =>
      `Codes cannot be sent or checked right now. Please try again in ${duration(seconds)}.`,
    unavailable: (seconds = 60) => `This is not available right now. Please try again in ${duration(seconds)}.`,
    internal: () => 'Something went wrong on our side. Please try again.',
    unreachable: () => 'No connection. Check your internet and try again.',
  },
  sandbox: { name: 'Sandbox', detail: 'Test users only. No text message is sent and no real ticket is touched.' },
  lead: 'wants to connect to your fan account',
  progress: 'Progress',
  steps: { phone: 'Phone', code: 'Code', consent: 'Your choice' },
  loading: 'One moment',
  failed: 'This sign-in could not be loaded',
  retry: 'Try again',
  cancel: (client) => `Cancel and go back to ${client}`,
  caution: (client) => `Go on only if you came here from ${client} yourself.`,
  leaving: (client) => `Taking you back to ${client}`,
  back: (client) => `Back to ${client}`,
  startAgain: (client) => `Go back to ${client ?? 'the app you came from'} and start again.`,
  goBack: (client) => `Go back to ${client} to continue.`,
  closingSoon: 'For your safety this sign-in closes in less than a minute.',
  phone: {
    title: 'Sign in with your phone',
    detail: 'We send you a code to make sure it is you.',
    sandboxDetail: 'Enter the phone number of a sandbox test user.',
    country: 'Country',
    chooseCountry: 'Choose a country',
    label: 'Mobile number',
    hint: 'Another country? Choose it, or start with + and its code.',
    submit: 'Continue',
    busy: 'Sending the code',
    incomplete: 'This is not a complete phone number. Check the country and the digits.',
  },
  code: {
    title: 'Enter your code',
    sentTo: 'We sent a 6-digit code to',
    sandboxDetail: 'Enter the 6-digit code of the test user with the number',
    label: '6-digit code',
    incomplete: 'The code has 6 digits.',
    triesLeft: (n) => `${count(n, 'try', 'tries')} left.`,
    submit: 'Confirm',
    busy: 'Checking the code',
    resend: 'Send a new code',
    resendIn: (seconds) => `Send a new code in ${seconds} s`,
    resent: 'A new code is on its way.',
    sandboxResent: 'The test user’s code stays the same.',
    changeNumber: 'Use another number',
  },
  consent: {
    title: 'Choose what to allow',
    detail: (client) => `Untick what ${client} should not see or do. Nothing is shared before you allow it.`,
    plainTitle: (client) => `Continue to ${client}`,
    plainDetail: (client) =>
      `${client} learns that you have a fan account and an identifier of it. It gets no access to your tickets.`,
    plainSubmit: 'Continue',
    plainDeny: 'Cancel',
    see: 'It may see',
    act: 'It may do for you',
    otherDetail: 'A permission of this app.',
    tickets: 'For which tickets?',
    all: 'All current and future tickets',
    allDetail: (tickets) =>
      tickets === 0
        ? 'You have no upcoming tickets now. Tickets you get later are included without asking you again.'
        : `${count(tickets, 'ticket', 'tickets')} now, and every ticket you get later without asking you again.`,
    selected: 'Only selected tickets',
    selectedDetail: 'You choose each one. Tickets you get later stay private.',
    noneToSelect: 'You have no upcoming tickets to choose from.',
    search: 'Search your tickets',
    noneFound: 'No ticket matches.',
    selectAll: 'Select all',
    selectNone: 'Select none',
    selectFound: 'Select these',
    deselectFound: 'Deselect these',
    selectedCount: (selected, all) => `${selected} of ${all} selected`,
    ticketNumber: (position, all) => `Ticket ${position} of ${all}`,
    chooseAction: 'Tick at least one thing, or choose “Deny”.',
    chooseTicket: 'Choose at least one ticket, or “All current and future tickets”.',
    submit: 'Allow',
    deny: 'Deny',
    busy: 'One moment',
  },
};

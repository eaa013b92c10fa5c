import { countIn } from '../../../page-kit/texts/plural.ts';
import type { PortalTexts } from './texts.ts';

const count = countIn('fr');
const tickets = (n: number): string => count(n, 'billet', 'billets');

export const texts: PortalTexts = {
  title: 'Applications ayant accès à vos billets',
  detail:
    'Voyez ce que chaque application peut faire en votre nom, modifiez-le ou mettez-y fin. Chaque changement compte aussitôt.',
  phoneDetail:
    'Voyez et modifiez ce que vous avez permis aux applications. Nous envoyons un code si votre numéro est connu ici.',
  sentTo: 'S’il est connu ici, un code à 6 chiffres est en route vers le',
  signedInAs: 'Connecté avec le',
  signOut: 'Se déconnecter',
  signedOut: 'Vous êtes déconnecté.',
  away: 'Vous vous êtes absenté un moment. Veuillez vous reconnecter.',
  failed: 'Cette page n’a pas pu être chargée',
  none: {
    title: 'Aucune application n’a accès',
    detail: 'Quand vous reliez une application à vos billets, elle apparaît ici.',
  },
  modes: { sandbox: 'Sandbox', production: 'Réel' },
  since: 'Depuis',
  lastUsed: 'Dernière utilisation',
  neverUsed: 'pas au cours des 30 derniers jours',
  may: 'Elle peut',
  mayNothing: 'Rien, sauf savoir que vous avez un compte ici.',
  takeBack: 'Retirer',
  takenBack: (action, client) => `${client} ne peut plus faire ceci : ${action}.`,
  tickets: 'Billets',
  all: 'Tous les billets actuels et futurs',
  noTickets: 'Aucun. Les billets choisis ne sont plus à vous ou sont passés.',
  change: 'Changer les billets',
  save: 'Enregistrer',
  saved: 'Enregistré. Cela compte dès maintenant.',
  cancel: 'Annuler',
  receipt: 'Télécharger le reçu',
  end: 'Mettre fin à l’accès',
  endTitle: (client) => `Mettre fin à l’accès de ${client} ?`,
  endDetail: (client) =>
    `${client} ne pourra plus rien faire en votre nom, aussitôt. Pour vous en servir à nouveau, reconnectez-vous là-bas.`,
  ended: (client) => `L’accès de ${client} est terminé.`,
  gone: 'Cet accès était déjà terminé.',
  endAll: 'Mettre fin à tous les accès',
  endAllTitle: 'Mettre fin à l’accès de toutes les applications ?',
  endAllDetail:
    'Aucune application ne pourra plus rien faire en votre nom, aussitôt. Vous pourrez relier chacune en vous y reconnectant.',
  endedAll: 'Tous les accès sont terminés.',
  busy: 'Un instant',
  history: {
    title: 'Ce qui s’est passé',
    empty: 'Rien pour l’instant.',
    older: 'Afficher plus ancien',
    signed: 'Ce qui a été signé',
    granted: (client, { grantMode, tickets: n }) =>
      `Vous avez donné à ${client} l’accès à ${grantMode === 'selected' ? tickets(n) : 'tous vos billets actuels et futurs'}.`,
    takenBack: (client, actions) => `Vous avez retiré ceci à ${client} : ${actions}.`,
    chosen: (client, { grantMode, tickets: n }) =>
      `Vous avez changé les billets pour ${client} : ${grantMode === 'selected' ? tickets(n) : 'tous, actuels et futurs'}.`,
    left: (client, { reason, tickets: n }) =>
      reason === 'event_ended'
        ? `${tickets(n)} hors de l’accès de ${client}, car l’événement est passé.`
        : `${tickets(n)} hors de l’accès de ${client}, car vous ne ${n === 1 ? 'l’avez' : 'les avez'} plus.`,
    ended: {
      fan: (client) => `Vous avez mis fin à l’accès de ${client}.`,
      app: (client) => `${client} a rendu son accès.`,
      service: (client) => `Nous avons mis fin à l’accès de ${client} pour vous protéger.`,
    },
    listed: (client, ticket) => `${client} a fait signer la mise en vente de votre billet : ${ticket}.`,
    unlisted: (client, ticket) => `${client} a fait signer la fin d’une mise en vente : ${ticket}.`,
    claims: {
      pending: (client, ticket) => `${client} récupère un billet pour vous : ${ticket}.`,
      submitted: (client, ticket) => `${client} récupère un billet pour vous : ${ticket}.`,
      confirmed: (client, ticket) => `${client} a récupéré un billet pour vous : ${ticket}.`,
      failed: (client, ticket) => `${client} n’a pas pu récupérer un billet pour vous : ${ticket}.`,
    },
    tried: {
      'tickets.list': (client) => `${client} a essayé de voir vos billets.`,
      'listings.sign': (client) => `${client} a essayé de mettre un billet en vente ou de l’en retirer.`,
      'claims.execute': (client) => `${client} a essayé de récupérer un billet pour vous.`,
      'token.refresh': (client) => `${client} a essayé de renouveler son accès.`,
    },
    refused: {
      ended: 'Cela a été refusé, car son accès était terminé.',
      notAllowed: 'Cela a été refusé, car vous ne l’aviez pas permis.',
      notFound: 'Cela a été refusé, car le billet n’est pas de ceux que vous avez permis.',
      rule: 'Cela a été refusé, car la demande ne respectait pas une règle.',
    },
    times: (n) => `${n} fois en une heure.`,
  },
};

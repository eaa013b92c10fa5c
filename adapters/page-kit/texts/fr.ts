import { countIn, durationIn } from './plural.ts';
import type { Texts } from './texts.ts';

const count = countIn('fr');
const duration = durationIn('fr');

/** French sets a space inside its quotation marks; it must not break there. */
const quoted = (words: string): string => `«\u00a0${words}\u00a0»`;

export const texts: Texts = {
  direction: 'ltr',
  actions: {
    'fan:read': { kind: 'see', title: 'Voir votre compte fan', detail: 'Les informations générales de votre compte.' },
    'fan:tickets:read': {
      kind: 'see',
      title: 'Voir vos billets',
      detail: 'Événement, type et date d’achat de vos billets à venir.',
    },
    'fan:listings:read': {
      kind: 'see',
      title: 'Voir vos annonces',
      detail: 'Lesquels de vos billets sont en vente.',
    },
    'fan:profile:read': { kind: 'see', title: 'Voir votre profil', detail: 'Les informations de votre profil de fan.' },
    'fan:waitlist:read': {
      kind: 'see',
      title: 'Voir vos listes d’attente',
      detail: 'Les événements pour lesquels vous êtes en attente.',
    },
    'fan:cart:read': {
      kind: 'see',
      title: 'Voir votre panier',
      detail: 'Les billets que vous avez mis dans votre panier.',
    },
    'fan:write': {
      kind: 'act',
      title: 'Modifier votre compte fan',
      detail: 'Modifier les réglages généraux de votre compte.',
    },
    'fan:tickets:write': {
      kind: 'act',
      title: 'Gérer vos billets',
      detail: 'Apporter des changements à vos billets pour vous.',
    },
    'fan:listings:write': {
      kind: 'act',
      title: 'Mettre vos billets en vente',
      detail: 'Proposer des billets en votre nom, et les retirer de la vente.',
    },
    'fan:claims:write': {
      kind: 'act',
      title: 'Récupérer des billets pour vous',
      detail: 'Faire entrer dans votre compte les billets qui vous ont été transférés.',
    },
    'fan:profile:write': {
      kind: 'act',
      title: 'Modifier votre profil',
      detail: 'Changer les informations de votre profil de fan.',
    },
    'fan:waitlist:write': {
      kind: 'act',
      title: 'Vous inscrire sur des listes d’attente',
      detail: 'Vous mettre sur une liste d’attente ou vous en retirer.',
    },
    'fan:cart:write': {
      kind: 'act',
      title: 'Remplir votre panier',
      detail: 'Mettre des billets dans votre panier ou les en retirer.',
    },
  },
  ended: {
    session_not_found: {
      title: 'Ce lien de connexion ne fonctionne pas',
      detail:
        'Il est incomplet, ou il appartient à une connexion terminée depuis longtemps. Personne n’a été connecté.',
    },
    session_expired: {
      title: 'Cette connexion a expiré',
      detail: 'Pour votre sécurité, une connexion ne reste ouverte que peu de temps. Rien n’a été partagé.',
    },
    session_elsewhere: {
      title: 'Cette connexion appartient à un autre navigateur',
      detail:
        'Une connexion ne vaut que dans le navigateur où elle a commencé. Si quelqu’un vous a envoyé ce lien, fermez cette page\u00a0: l’utiliser pourrait lui donner vos billets.',
    },
    too_many_tries: {
      title: 'Trop de codes erronés',
      detail: 'Pour protéger votre compte, cette connexion a été arrêtée. Rien n’a été partagé.',
    },
    fan_stopped: {
      title: 'La connexion avec ce numéro est bloquée',
      detail:
        'Vous ne pouvez pas vous connecter avec lui pour le moment. Adressez-vous à l’assistance de l’application d’où vous venez. Rien n’a été partagé.',
    },
    done: {
      title: 'Tout est fait ici',
      detail: 'Cette connexion est terminée. Vous pouvez fermer cette page.',
    },
  },
  failures: {
    wrong_step: () => 'Cette étape était déjà faite. La page montre maintenant où vous en êtes.',
    invalid_phone: () => 'Aucun code ne peut être envoyé à ce numéro. Vérifiez-le ou utilisez-en un autre.',
    resend_too_soon: (seconds = 30) => `Vous pourrez demander un nouveau code dans ${duration(seconds)}.`,
    wrong_code: () => 'Ce code n’est pas le bon.',
    code_expired: () => 'Ce code a expiré. Demandez-en un nouveau.',
    invalid_selection: () => 'Un des billets n’est plus là. Vérifiez votre sélection et réessayez.',
    rate_limited: (seconds) =>
      seconds === undefined
        ? 'Plus aucun code ne peut être envoyé pour cette connexion. Annulez-la et recommencez depuis l’application.'
        : `Cela fait beaucoup d’essais. Veuillez attendre ${duration(seconds)}.`,
    verification_unavailable: (seconds = 60) =>
      `Les codes ne peuvent être ni envoyés ni vérifiés pour le moment. Réessayez dans ${duration(seconds)}.`,
    unavailable: (seconds = 60) => `Ce n’est pas possible pour le moment. Réessayez dans ${duration(seconds)}.`,
    internal: () => 'Quelque chose a mal tourné de notre côté. Réessayez.',
    unreachable: () => 'Pas de connexion. Vérifiez votre accès à internet et réessayez.',
  },
  sandbox: {
    name: 'Sandbox',
    detail: 'Utilisateurs de test seulement. Aucun SMS n’est envoyé, aucun vrai billet n’est touché.',
  },
  lead: 'souhaite se connecter à votre compte fan',
  progress: 'Progression',
  steps: { phone: 'Téléphone', code: 'Code', consent: 'Votre choix' },
  loading: 'Un instant',
  failed: 'Cette connexion n’a pas pu être chargée',
  retry: 'Réessayer',
  cancel: (client) => `Annuler et revenir à ${client}`,
  caution: (client) => `Ne continuez que si vous arrivez ici de vous-même depuis ${client}.`,
  leaving: (client) => `Retour à ${client}`,
  back: (client) => `Revenir à ${client}`,
  startAgain: (client) => `Revenez à ${client ?? 'l’application d’où vous venez'} et recommencez.`,
  goBack: (client) => `Revenez à ${client} pour continuer.`,
  closingSoon: 'Pour votre sécurité, cette connexion se ferme dans moins d’une minute.',
  phone: {
    title: 'Connectez-vous avec votre téléphone',
    detail: 'Nous vous envoyons un code pour être sûrs que c’est bien vous.',
    sandboxDetail: 'Saisissez le numéro d’un utilisateur de test du sandbox.',
    country: 'Pays',
    chooseCountry: 'Choisissez un pays',
    label: 'Numéro de mobile',
    hint: 'Un autre pays\u00a0? Choisissez-le, ou commencez par + et son indicatif.',
    submit: 'Continuer',
    busy: 'Envoi du code',
    incomplete: 'Ce numéro de téléphone n’est pas complet. Vérifiez le pays et les chiffres.',
  },
  code: {
    title: 'Saisissez votre code',
    sentTo: 'Nous avons envoyé un code à 6 chiffres au',
    sandboxDetail: 'Saisissez le code à 6 chiffres de l’utilisateur de test dont le numéro est',
    label: 'Code à 6 chiffres',
    incomplete: 'Le code a 6 chiffres.',
    triesLeft: (n) => `Il vous reste ${count(n, 'essai', 'essais')}.`,
    submit: 'Confirmer',
    busy: 'Vérification du code',
    resend: 'Envoyer un nouveau code',
    resendIn: (seconds) => `Nouveau code dans ${seconds} s`,
    resent: 'Un nouveau code est en route.',
    sandboxResent: 'Le code de l’utilisateur de test reste le même.',
    changeNumber: 'Utiliser un autre numéro',
  },
  consent: {
    title: 'Choisissez ce que vous autorisez',
    detail: (client) =>
      `Décochez ce que ${client} ne doit pas voir ou faire. Rien n’est partagé avant votre autorisation.`,
    plainTitle: (client) => `Continuer vers ${client}`,
    plainDetail: (client) =>
      `${client} apprend que vous avez un compte fan et quel est son identifiant, sans aucun accès à vos billets.`,
    plainSubmit: 'Continuer',
    plainDeny: 'Annuler',
    see: 'L’application pourra voir',
    act: 'L’application pourra faire pour vous',
    otherDetail: 'Une autorisation de cette application.',
    tickets: 'Pour quels billets\u00a0?',
    all: 'Tous les billets actuels et futurs',
    allDetail: (tickets) =>
      tickets === 0
        ? 'Vous n’avez pas de billet à venir pour l’instant. Les prochains seront inclus sans vous le redemander.'
        : `${count(tickets, 'billet', 'billets')} maintenant et, sans vous le redemander, tous ceux que vous aurez plus tard.`,
    selected: 'Seulement certains billets',
    selectedDetail: 'Vous choisissez chacun d’eux. Ceux que vous aurez plus tard restent privés.',
    noneToSelect: 'Vous n’avez aucun billet à venir à choisir.',
    search: 'Chercher dans vos billets',
    noneFound: 'Aucun billet ne correspond.',
    selectAll: 'Tout sélectionner',
    selectNone: 'Ne rien sélectionner',
    selectFound: 'Sélectionner ceux-ci',
    deselectFound: 'Désélectionner ceux-ci',
    selectedCount: (selected, all) => `${selected} sur ${all} sélectionnés`,
    ticketNumber: (position, all) => `Billet ${position} sur ${all}`,
    chooseAction: `Cochez au moins une chose, ou choisissez ${quoted('Refuser')}.`,
    chooseTicket: `Choisissez au moins un billet, ou ${quoted('Tous les billets actuels et futurs')}.`,
    submit: 'Autoriser',
    deny: 'Refuser',
    busy: 'Un instant',
  },
};

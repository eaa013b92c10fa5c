import { countIn } from '../../../page-kit/texts/plural.ts';
import type { PortalTexts } from './texts.ts';

const count = countIn('pt');
const tickets = (n: number): string => count(n, 'ingresso', 'ingressos');

export const texts: PortalTexts = {
  title: 'Apps com acesso aos seus ingressos',
  detail: 'Veja o que cada app pode fazer em seu nome, mude ou encerre. Cada mudança vale na hora.',
  phoneDetail: 'Veja e mude o que você permitiu aos apps. Enviamos um código se o seu número for conhecido aqui.',
  sentTo: 'Se for conhecido aqui, um código de 6 dígitos está a caminho de',
  signedInAs: 'Você entrou como',
  signOut: 'Sair',
  signedOut: 'Você saiu.',
  away: 'Você ficou um tempo fora. Entre de novo.',
  failed: 'Não foi possível carregar esta página',
  none: { title: 'Nenhum app tem acesso', detail: 'Quando você conectar um app aos seus ingressos, ele aparece aqui.' },
  modes: { sandbox: 'Sandbox', production: 'Real' },
  since: 'Desde',
  lastUsed: 'Último uso',
  neverUsed: 'não nos últimos 30 dias',
  may: 'Ele pode',
  mayNothing: 'Nada, além de saber que você tem uma conta aqui.',
  takeBack: 'Retirar',
  takenBack: (action, client) => `${client} não pode mais fazer isto: ${action}.`,
  tickets: 'Ingressos',
  all: 'Todos os ingressos atuais e futuros',
  noTickets: 'Nenhum. Os ingressos escolhidos não são mais seus ou já passaram.',
  change: 'Mudar ingressos',
  save: 'Salvar',
  saved: 'Salvo. Vale a partir de agora.',
  cancel: 'Cancelar',
  receipt: 'Baixar comprovante',
  end: 'Encerrar acesso',
  endTitle: (client) => `Encerrar o acesso de ${client}?`,
  endDetail: (client) =>
    `${client} não poderá fazer mais nada em seu nome, na hora. Para usar de novo, entre por lá outra vez.`,
  ended: (client) => `O acesso de ${client} foi encerrado.`,
  gone: 'Este acesso já tinha sido encerrado.',
  endAll: 'Encerrar todos os acessos',
  endAllTitle: 'Encerrar o acesso de todos os apps?',
  endAllDetail:
    'Nenhum app poderá fazer mais nada em seu nome, na hora. Você pode conectar cada um de novo entrando por lá.',
  endedAll: 'Todos os acessos foram encerrados.',
  busy: 'Um momento',
  history: {
    title: 'O que aconteceu',
    empty: 'Nada ainda.',
    older: 'Mostrar anteriores',
    signed: 'O que foi assinado',
    granted: (client, { grantMode, tickets: n }) =>
      `Você deu a ${client} acesso a ${grantMode === 'selected' ? tickets(n) : 'todos os seus ingressos atuais e futuros'}.`,
    takenBack: (client, actions) => `Você retirou isto de ${client}: ${actions}.`,
    chosen: (client, { grantMode, tickets: n }) =>
      `Você mudou os ingressos para ${client}: ${grantMode === 'selected' ? tickets(n) : 'todos, atuais e futuros'}.`,
    left: (client, { reason, tickets: n }) =>
      reason === 'event_ended'
        ? `${tickets(n)} fora do acesso de ${client}, porque o evento já passou.`
        : `${tickets(n)} fora do acesso de ${client}, porque você não ${n === 1 ? 'o' : 'os'} tem mais.`,
    ended: {
      fan: (client) => `Você encerrou o acesso de ${client}.`,
      app: (client) => `${client} devolveu o acesso.`,
      service: (client) => `Encerramos o acesso de ${client} para proteger você.`,
    },
    listed: (client, ticket) => `${client} fez assinar a venda do seu ingresso: ${ticket}.`,
    unlisted: (client, ticket) => `${client} fez assinar o fim de uma venda: ${ticket}.`,
    claims: {
      pending: (client, ticket) => `${client} está buscando um ingresso para você: ${ticket}.`,
      submitted: (client, ticket) => `${client} está buscando um ingresso para você: ${ticket}.`,
      confirmed: (client, ticket) => `${client} buscou um ingresso para você: ${ticket}.`,
      failed: (client, ticket) => `${client} não conseguiu buscar um ingresso para você: ${ticket}.`,
    },
    tried: {
      'tickets.list': (client) => `${client} tentou ver os seus ingressos.`,
      'listings.sign': (client) => `${client} tentou pôr um ingresso à venda ou retirá-lo.`,
      'claims.execute': (client) => `${client} tentou buscar um ingresso para você.`,
      'token.refresh': (client) => `${client} tentou renovar o acesso.`,
    },
    refused: {
      ended: 'Foi recusado, porque o acesso tinha sido encerrado.',
      notAllowed: 'Foi recusado, porque você não tinha permitido.',
      notFound: 'Foi recusado, porque o ingresso não é um dos que você permitiu.',
      rule: 'Foi recusado, porque o pedido não cumpria uma regra.',
    },
    times: (n) => `${n} vezes em uma hora.`,
  },
};

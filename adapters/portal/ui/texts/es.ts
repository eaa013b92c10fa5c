import { countIn } from '../../../page-kit/texts/plural.ts';
import type { PortalTexts } from './texts.ts';

const count = countIn('es');
const tickets = (n: number): string => count(n, 'entrada', 'entradas');

export const texts: PortalTexts = {
  title: 'Aplicaciones con acceso a tus entradas',
  detail: 'Mira qué puede hacer cada aplicación en tu nombre, cámbialo o termínalo. Cada cambio vale al instante.',
  phoneDetail: 'Mira y cambia lo que has permitido a las aplicaciones. Enviamos un código si conocemos tu número aquí.',
  sentTo: 'Si lo conocemos aquí, un código de 6 dígitos va en camino al',
  signedInAs: 'Has entrado como',
  signOut: 'Salir',
  signedOut: 'Has salido.',
  away: 'Has estado un rato fuera. Vuelve a entrar.',
  failed: 'No se ha podido cargar esta página',
  none: {
    title: 'Ninguna aplicación tiene acceso',
    detail: 'Cuando conectes una aplicación con tus entradas, aparecerá aquí.',
  },
  modes: { sandbox: 'Sandbox', production: 'Real' },
  since: 'Desde',
  lastUsed: 'Último uso',
  neverUsed: 'no en los últimos 30 días',
  may: 'Puede',
  mayNothing: 'Nada, salvo saber que tienes una cuenta aquí.',
  takeBack: 'Retirar',
  takenBack: (action, client) => `${client} ya no puede hacer esto: ${action}.`,
  tickets: 'Entradas',
  all: 'Todas las entradas actuales y futuras',
  noTickets: 'Ninguna. Las entradas que elegiste ya no las tienes o han pasado.',
  change: 'Cambiar entradas',
  save: 'Guardar',
  saved: 'Guardado. Vale desde ahora.',
  cancel: 'Cancelar',
  receipt: 'Descargar justificante',
  end: 'Terminar acceso',
  endTitle: (client) => `¿Terminar el acceso de ${client}?`,
  endDetail: (client) =>
    `${client} no podrá hacer nada más en tu nombre, al instante. Para volver a usarla, entra allí de nuevo.`,
  ended: (client) => `El acceso de ${client} ha terminado.`,
  gone: 'Este acceso ya había terminado.',
  endAll: 'Terminar todos los accesos',
  endAllTitle: '¿Terminar el acceso de todas las aplicaciones?',
  endAllDetail:
    'Ninguna aplicación podrá hacer nada más en tu nombre, al instante. Puedes volver a conectar cada una entrando allí.',
  endedAll: 'Todos los accesos han terminado.',
  busy: 'Un momento',
  history: {
    title: 'Qué ha pasado',
    empty: 'Todavía nada.',
    older: 'Mostrar anteriores',
    signed: 'Qué se firmó',
    granted: (client, { grantMode, tickets: n }) =>
      `Diste a ${client} acceso a ${grantMode === 'selected' ? tickets(n) : 'todas tus entradas actuales y futuras'}.`,
    takenBack: (client, actions) => `Retiraste esto a ${client}: ${actions}.`,
    chosen: (client, { grantMode, tickets: n }) =>
      `Cambiaste las entradas para ${client}: ${grantMode === 'selected' ? tickets(n) : 'todas, actuales y futuras'}.`,
    left: (client, { reason, tickets: n }) =>
      reason === 'event_ended'
        ? `${tickets(n)} fuera del acceso de ${client}, porque el evento ha pasado.`
        : `${tickets(n)} fuera del acceso de ${client}, porque ya no ${n === 1 ? 'la' : 'las'} tienes.`,
    ended: {
      fan: (client) => `Terminaste el acceso de ${client}.`,
      app: (client) => `${client} devolvió su acceso.`,
      service: (client) => `Terminamos el acceso de ${client} para protegerte.`,
    },
    listed: (client, ticket) => `${client} hizo firmar la puesta en venta de tu entrada: ${ticket}.`,
    unlisted: (client, ticket) => `${client} hizo firmar el fin de una venta: ${ticket}.`,
    claims: {
      pending: (client, ticket) => `${client} está recogiendo una entrada para ti: ${ticket}.`,
      submitted: (client, ticket) => `${client} está recogiendo una entrada para ti: ${ticket}.`,
      confirmed: (client, ticket) => `${client} recogió una entrada para ti: ${ticket}.`,
      failed: (client, ticket) => `${client} no pudo recoger una entrada para ti: ${ticket}.`,
    },
    tried: {
      'tickets.list': (client) => `${client} intentó ver tus entradas.`,
      'listings.sign': (client) => `${client} intentó poner una entrada en venta o retirarla.`,
      'claims.execute': (client) => `${client} intentó recoger una entrada para ti.`,
      'token.refresh': (client) => `${client} intentó renovar su acceso.`,
    },
    refused: {
      ended: 'Se rechazó, porque su acceso había terminado.',
      notAllowed: 'Se rechazó, porque no lo habías permitido.',
      notFound: 'Se rechazó, porque la entrada no es de las que permitiste.',
      rule: 'Se rechazó, porque la petición no cumplía una regla.',
    },
    times: (n) => `${n} veces en una hora.`,
  },
};

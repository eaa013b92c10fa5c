import { countIn, durationIn } from './plural.ts';
import type { Texts } from './texts.ts';

const count = countIn('es');
const duration = durationIn('es');

export const texts: Texts = {
  direction: 'ltr',
  actions: {
    'fan:read': { kind: 'see', title: 'Ver tu cuenta de fan', detail: 'La información general de tu cuenta.' },
    'fan:tickets:read': {
      kind: 'see',
      title: 'Ver tus entradas',
      detail: 'Evento, tipo y fecha de compra de tus próximas entradas.',
    },
    'fan:listings:read': {
      kind: 'see',
      title: 'Ver lo que vendes',
      detail: 'Cuáles de tus entradas están a la venta.',
    },
    'fan:profile:read': { kind: 'see', title: 'Ver tu perfil', detail: 'Los datos de tu perfil de fan.' },
    'fan:waitlist:read': {
      kind: 'see',
      title: 'Ver tus listas de espera',
      detail: 'Los eventos para los que estás en espera.',
    },
    'fan:cart:read': { kind: 'see', title: 'Ver tu carrito', detail: 'Las entradas que has puesto en el carrito.' },
    'fan:write': {
      kind: 'act',
      title: 'Cambiar tu cuenta de fan',
      detail: 'Cambiar los ajustes generales de tu cuenta.',
    },
    'fan:tickets:write': {
      kind: 'act',
      title: 'Gestionar tus entradas',
      detail: 'Hacer cambios en tus entradas por ti.',
    },
    'fan:listings:write': {
      kind: 'act',
      title: 'Poner tus entradas a la venta',
      detail: 'Ofrecer entradas en tu nombre y volver a retirarlas de la venta.',
    },
    'fan:claims:write': {
      kind: 'act',
      title: 'Recoger entradas por ti',
      detail: 'Traer a tu cuenta las entradas que te han transferido.',
    },
    'fan:profile:write': { kind: 'act', title: 'Editar tu perfil', detail: 'Cambiar los datos de tu perfil de fan.' },
    'fan:waitlist:write': {
      kind: 'act',
      title: 'Apuntarte a listas de espera',
      detail: 'Ponerte en una lista de espera o quitarte de ella.',
    },
    'fan:cart:write': { kind: 'act', title: 'Llenar tu carrito', detail: 'Poner entradas en tu carrito o quitarlas.' },
  },
  ended: {
    session_not_found: {
      title: 'Este enlace de acceso no funciona',
      detail: 'Está incompleto o es de un acceso que terminó hace tiempo. Nadie ha iniciado sesión.',
    },
    session_expired: {
      title: 'Este acceso ha caducado',
      detail: 'Por tu seguridad, un acceso solo queda abierto un rato. No se ha compartido nada.',
    },
    session_elsewhere: {
      title: 'Este acceso es de otro navegador',
      detail:
        'Un acceso solo vale en el navegador en el que empezó. Si alguien te ha enviado este enlace, cierra esta página: usarlo podría darle tus entradas.',
    },
    too_many_tries: {
      title: 'Demasiados códigos incorrectos',
      detail: 'Para proteger tu cuenta hemos detenido este acceso. No se ha compartido nada.',
    },
    fan_stopped: {
      title: 'El acceso con este número está bloqueado',
      detail:
        'Ahora mismo no puedes acceder con él. Pregunta al servicio de ayuda de la aplicación de la que vienes. No se ha compartido nada.',
    },
    done: { title: 'Aquí ya está todo hecho', detail: 'Este acceso ya ha terminado. Puedes cerrar esta página.' },
  },
  failures: {
    wrong_step: () => 'Este paso ya estaba hecho. La página muestra ahora por dónde vas.',
    invalid_phone: () => 'No se puede enviar un código a este número. Revísalo o usa otro.',
    resend_too_soon: (seconds = 30) => `Podrás pedir otro código en ${duration(seconds)}.`,
    wrong_code: () => 'Ese código no es correcto.',
    code_expired: () => 'Este código ha caducado. Pide otro.',
    invalid_selection: () => 'Una de las entradas ya no está. Revisa tu selección e inténtalo de nuevo.',
    rate_limited: (seconds) =>
      seconds === undefined
        ? 'No se pueden enviar más códigos para este acceso. Cancélalo y empieza de nuevo desde la aplicación.'
        : `Han sido muchos intentos. Espera ${duration(seconds)}.`,
    verification_unavailable: (seconds = 60) =>
      `Ahora mismo no se pueden enviar ni comprobar códigos. Inténtalo de nuevo en ${duration(seconds)}.`,
    unavailable: (seconds = 60) => `Ahora mismo no es posible. Inténtalo de nuevo en ${duration(seconds)}.`,
    internal: () => 'Algo ha fallado por nuestra parte. Inténtalo de nuevo.',
    unreachable: () => 'Sin conexión. Comprueba tu internet e inténtalo de nuevo.',
  },
  sandbox: {
    name: 'Sandbox',
    detail: 'Solo usuarios de prueba. No se envía ningún SMS ni se toca ninguna entrada real.',
  },
  lead: 'quiere conectarse a tu cuenta de fan',
  progress: 'Progreso',
  steps: { phone: 'Teléfono', code: 'Código', consent: 'Tu decisión' },
  loading: 'Un momento',
  failed: 'No se ha podido cargar este acceso',
  retry: 'Intentar de nuevo',
  cancel: (client) => `Cancelar y volver a ${client}`,
  caution: (client) => `Sigue solo si has llegado aquí desde ${client} por tu cuenta.`,
  leaving: (client) => `Volviendo a ${client}`,
  back: (client) => `Volver a ${client}`,
  startAgain: (client) => `Vuelve a ${client ?? 'la aplicación de la que vienes'} y empieza de nuevo.`,
  goBack: (client) => `Vuelve a ${client} para continuar.`,
  closingSoon: 'Por tu seguridad, este acceso se cierra en menos de un minuto.',
  phone: {
    title: 'Accede con tu teléfono',
    detail: 'Te enviamos un código para asegurarnos de que eres tú.',
    sandboxDetail: 'Introduce el número de un usuario de prueba del sandbox.',
    country: 'País',
    chooseCountry: 'Elige un país',
    label: 'Número de móvil',
    hint: '¿Otro país? Elígelo o empieza por + y su prefijo.',
    submit: 'Continuar',
    busy: 'Enviando el código',
    incomplete: 'Este número de teléfono no está completo. Revisa el país y las cifras.',
  },
  code: {
    title: 'Introduce tu código',
    sentTo: 'Hemos enviado un código de 6 cifras al',
    sandboxDetail: 'Introduce el código de 6 cifras del usuario de prueba con el número',
    label: 'Código de 6 cifras',
    incomplete: 'El código tiene 6 cifras.',
    triesLeft: (n) => `Te ${n === 1 ? 'queda' : 'quedan'} ${count(n, 'intento', 'intentos')}.`,
    submit: 'Confirmar',
    busy: 'Comprobando el código',
    resend: 'Enviar otro código',
    resendIn: (seconds) => `Otro código en ${seconds} s`,
    resent: 'Un código nuevo está en camino.',
    sandboxResent: 'El código del usuario de prueba sigue siendo el mismo.',
    changeNumber: 'Usar otro número',
  },
  consent: {
    title: 'Elige qué permites',
    detail: (client) => `Desmarca lo que ${client} no deba ver o hacer. No se comparte nada hasta que tú lo permitas.`,
    plainTitle: (client) => `Continuar a ${client}`,
    plainDetail: (client) =>
      `${client} sabrá que tienes una cuenta de fan y cuál es su identificador. No tendrá acceso a tus entradas.`,
    plainSubmit: 'Continuar',
    plainDeny: 'Cancelar',
    see: 'Podrá ver',
    act: 'Podrá hacer por ti',
    otherDetail: 'Un permiso de esta aplicación.',
    tickets: '¿Para qué entradas?',
    all: 'Todas las entradas actuales y futuras',
    allDetail: (tickets) =>
      tickets === 0
        ? 'Ahora no tienes próximas entradas. Las que consigas más adelante se incluirán sin volver a preguntarte.'
        : `${count(tickets, 'entrada', 'entradas')} ahora y, sin volver a preguntarte, todas las que consigas después.`,
    selected: 'Solo entradas elegidas',
    selectedDetail: 'Eliges cada una. Las que consigas después seguirán siendo privadas.',
    noneToSelect: 'No tienes próximas entradas entre las que elegir.',
    search: 'Buscar en tus entradas',
    noneFound: 'Ninguna entrada coincide.',
    selectAll: 'Elegir todas',
    selectNone: 'No elegir ninguna',
    selectFound: 'Elegir estas',
    deselectFound: 'Quitar estas',
    selectedCount: (selected, all) => `${selected} de ${all} elegidas`,
    ticketNumber: (position, all) => `Entrada ${position} de ${all}`,
    chooseAction: 'Marca al menos una cosa o elige «Rechazar».',
    chooseTicket: 'Elige al menos una entrada o «Todas las entradas actuales y futuras».',
    submit: 'Permitir',
    deny: 'Rechazar',
    busy: 'Un momento',
  },
};

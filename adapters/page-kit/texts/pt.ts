import { countIn, durationIn } from './plural.ts';
import type { Texts } from './texts.ts';

const count = countIn('pt');
const duration = durationIn('pt');

export const texts: Texts = {
  direction: 'ltr',
  actions: {
    'fan:read': { kind: 'see', title: 'Ver sua conta de fã', detail: 'As informações gerais da sua conta.' },
    'fan:tickets:read': {
      kind: 'see',
      title: 'Ver seus ingressos',
      detail: 'Evento, tipo e data de compra dos seus próximos ingressos.',
    },
    'fan:listings:read': {
      kind: 'see',
      title: 'Ver seus anúncios',
      detail: 'Quais dos seus ingressos estão à venda.',
    },
    'fan:profile:read': { kind: 'see', title: 'Ver seu perfil', detail: 'Os dados do seu perfil de fã.' },
    'fan:waitlist:read': {
      kind: 'see',
      title: 'Ver suas listas de espera',
      detail: 'Os eventos pelos quais você está esperando.',
    },
    'fan:cart:read': { kind: 'see', title: 'Ver seu carrinho', detail: 'Os ingressos que você pôs no carrinho.' },
    'fan:write': {
      kind: 'act',
      title: 'Alterar sua conta de fã',
      detail: 'Alterar as configurações gerais da sua conta.',
    },
    'fan:tickets:write': {
      kind: 'act',
      title: 'Gerenciar seus ingressos',
      detail: 'Fazer alterações nos seus ingressos por você.',
    },
    'fan:listings:write': {
      kind: 'act',
      title: 'Pôr seus ingressos à venda',
      detail: 'Oferecer ingressos em seu nome e retirá-los da venda.',
    },
    'fan:claims:write': {
      kind: 'act',
      title: 'Receber ingressos por você',
      detail: 'Trazer para a sua conta os ingressos transferidos para você.',
    },
    'fan:profile:write': { kind: 'act', title: 'Editar seu perfil', detail: 'Alterar os dados do seu perfil de fã.' },
    'fan:waitlist:write': {
      kind: 'act',
      title: 'Entrar em listas de espera',
      detail: 'Pôr você em uma lista de espera ou tirar você dela.',
    },
    'fan:cart:write': {
      kind: 'act',
      title: 'Encher seu carrinho',
      detail: 'Pôr ingressos no seu carrinho ou tirá-los.',
    },
  },
  ended: {
    session_not_found: {
      title: 'Este link de acesso não funciona',
      detail: 'Está incompleto ou é de um acesso que terminou há muito tempo. Ninguém entrou na conta.',
    },
    session_expired: {
      title: 'Este acesso expirou',
      detail: 'Para sua segurança, um acesso fica aberto só por pouco tempo. Nada foi compartilhado.',
    },
    session_elsewhere: {
      title: 'Este acesso é de outro navegador',
      detail:
        'Um acesso só vale no navegador em que começou. Se alguém enviou este link para você, feche esta página: usá-lo poderia dar seus ingressos a essa pessoa.',
    },
    too_many_tries: {
      title: 'Códigos errados demais',
      detail: 'Para proteger sua conta, este acesso foi interrompido. Nada foi compartilhado.',
    },
    fan_stopped: {
      title: 'O acesso com este número está bloqueado',
      detail:
        'No momento você não pode entrar com ele. Fale com o suporte do aplicativo de onde você veio. Nada foi compartilhado.',
    },
    done: { title: 'Tudo pronto por aqui', detail: 'Este acesso já foi concluído. Você pode fechar esta página.' },
  },
  failures: {
    wrong_step: () => 'Esta etapa já estava feita. A página agora mostra onde você está.',
    invalid_phone: () => 'Não é possível enviar um código para este número. Confira o número ou use outro.',
    resend_too_soon: (seconds = 30) => `Você pode pedir um novo código em ${duration(seconds)}.`,
    wrong_code: () => 'Esse código não está certo.',
    code_expired: () => 'Este código expirou. Peça um novo.',
    invalid_selection: () => 'Um dos ingressos não está mais disponível. Confira sua seleção e tente de novo.',
    rate_limited: (seconds) =>
      seconds === undefined
        ? 'Não é possível enviar mais códigos para este acesso. Cancele e comece de novo no aplicativo.'
        : `Foram muitas tentativas. Aguarde ${duration(seconds)}.`,
    verification_unavailable: (seconds = 60) =>
      `No momento não é possível enviar nem conferir códigos. Tente de novo em ${duration(seconds)}.`,
    unavailable: (seconds = 60) => `No momento não é possível. Tente de novo em ${duration(seconds)}.`,
    internal: () => 'Algo deu errado do nosso lado. Tente de novo.',
    unreachable: () => 'Sem conexão. Verifique sua internet e tente de novo.',
  },
  sandbox: {
    name: 'Sandbox',
    detail: 'Só usuários de teste. Nenhum SMS é enviado e nenhum ingresso real é afetado.',
  },
  lead: 'quer se conectar à sua conta de fã',
  progress: 'Progresso',
  steps: { phone: 'Telefone', code: 'Código', consent: 'Sua escolha' },
  loading: 'Um momento',
  failed: 'Não foi possível carregar este acesso',
  retry: 'Tentar de novo',
  cancel: (client) => `Cancelar e voltar para ${client}`,
  caution: (client) => `Continue só se você veio de ${client} até aqui por conta própria.`,
  leaving: (client) => `Voltando para ${client}`,
  back: (client) => `Voltar para ${client}`,
  startAgain: (client) => `Volte para ${client ?? 'o aplicativo de onde você veio'} e comece de novo.`,
  goBack: (client) => `Volte para ${client} para continuar.`,
  closingSoon: 'Para sua segurança, este acesso se encerra em menos de um minuto.',
  phone: {
    title: 'Entre com seu telefone',
    detail: 'Enviamos um código para ter certeza de que é você.',
    sandboxDetail: 'Digite o número de um usuário de teste do sandbox.',
    country: 'País',
    chooseCountry: 'Escolha um país',
    label: 'Número de celular',
    hint: 'Outro país? Escolha-o ou comece com + e o código dele.',
    submit: 'Continuar',
    busy: 'Enviando o código',
    incomplete: 'Este número de telefone não está completo. Confira o país e os dígitos.',
  },
  code: {
    title: 'Digite seu código',
    sentTo: 'Enviamos um código de 6 dígitos para',
    sandboxDetail: 'Digite o código de 6 dígitos do usuário de teste com o número',
    label: 'Código de 6 dígitos',
    incomplete: 'O código tem 6 dígitos.',
    triesLeft: (n) => `${n === 1 ? 'Resta' : 'Restam'} ${count(n, 'tentativa', 'tentativas')}.`,
    submit: 'Confirmar',
    busy: 'Conferindo o código',
    resend: 'Enviar novo código',
    resendIn: (seconds) => `Novo código em ${seconds} s`,
    resent: 'Um novo código está a caminho.',
    sandboxResent: 'O código do usuário de teste continua o mesmo.',
    changeNumber: 'Usar outro número',
  },
  consent: {
    title: 'Escolha o que permitir',
    detail: (client) =>
      `Desmarque o que ${client} não deve ver nem fazer. Nada é compartilhado antes da sua permissão.`,
    plainTitle: (client) => `Continuar para ${client}`,
    plainDetail: (client) =>
      `${client} fica sabendo que você tem uma conta de fã e qual é o identificador dela. Não terá acesso aos seus ingressos.`,
    plainSubmit: 'Continuar',
    plainDeny: 'Cancelar',
    see: 'Poderá ver',
    act: 'Poderá fazer por você',
    otherDetail: 'Uma permissão deste aplicativo.',
    tickets: 'Para quais ingressos?',
    all: 'Todos os ingressos atuais e futuros',
    allDetail: (tickets) =>
      tickets === 0
        ? 'Você não tem próximos ingressos agora. Os que conseguir depois serão incluídos sem nova pergunta.'
        : `${count(tickets, 'ingresso', 'ingressos')} agora e, sem nova pergunta, todos os que você conseguir depois.`,
    selected: 'Só ingressos selecionados',
    selectedDetail: 'Você escolhe cada um. Os que conseguir depois continuam privados.',
    noneToSelect: 'Você não tem próximos ingressos para escolher.',
    search: 'Buscar nos seus ingressos',
    noneFound: 'Nenhum ingresso encontrado.',
    selectAll: 'Selecionar todos',
    selectNone: 'Não selecionar nenhum',
    selectFound: 'Selecionar estes',
    deselectFound: 'Desmarcar estes',
    selectedCount: (selected, all) => `${selected} de ${all} selecionados`,
    ticketNumber: (position, all) => `Ingresso ${position} de ${all}`,
    chooseAction: 'Marque pelo menos uma coisa ou escolha “Recusar”.',
    chooseTicket: 'Escolha pelo menos um ingresso ou “Todos os ingressos atuais e futuros”.',
    submit: 'Permitir',
    deny: 'Recusar',
    busy: 'Um momento',
  },
};

import type { PortalTexts } from './texts.ts';

const tickets = (n: number): string => `${n} 枚のチケット`;

export const texts: PortalTexts = {
  title: 'チケットにアクセスできるアプリ',
  detail: '各アプリがあなたの名前でできることを確認、変更、終了できます。変更はすぐに反映されます。',
  phoneDetail: 'アプリに許可した内容を確認、変更できます。ここに登録された番号であればコードを送ります。',
  sentTo: '登録された番号であれば、6 桁のコードを次の番号に送りました：',
  signedInAs: 'ログイン中：',
  signOut: 'ログアウト',
  signedOut: 'ログアウトしました。',
  away: 'しばらく操作がありませんでした。もう一度ログインしてください。',
  failed: 'このページを読み込めませんでした',
  none: { title: 'アクセスできるアプリはありません', detail: 'アプリをチケットに接続すると、ここに表示されます。' },
  modes: { sandbox: 'サンドボックス', production: '本番' },
  since: '開始',
  lastUsed: '最後の利用',
  neverUsed: '過去 30 日間に利用なし',
  may: 'できること',
  mayNothing: 'ここにアカウントがあることを知る以外、何もできません。',
  takeBack: '取り消す',
  takenBack: (action, client) => `${client} はこれをできなくなりました：${action}。`,
  tickets: 'チケット',
  all: '現在と今後のすべてのチケット',
  noTickets: 'なし。選んだチケットは手元にないか、終了しています。',
  change: 'チケットを変更',
  save: '保存',
  saved: '保存しました。今から反映されます。',
  cancel: 'キャンセル',
  receipt: '同意の控えを保存',
  end: 'アクセスを終了',
  endTitle: (client) => `${client} のアクセスを終了しますか？`,
  endDetail: (client) =>
    `${client} はすぐに、あなたの名前で何もできなくなります。再び使うには、そちらでもう一度ログインしてください。`,
  ended: (client) => `${client} のアクセスを終了しました。`,
  gone: 'このアクセスはすでに終了しています。',
  endAll: 'すべてのアクセスを終了',
  endAllTitle: 'すべてのアプリのアクセスを終了しますか？',
  endAllDetail: 'どのアプリもすぐに、あなたの名前で何もできなくなります。各アプリでログインすれば、再び接続できます。',
  endedAll: 'すべてのアクセスを終了しました。',
  busy: 'お待ちください',
  history: {
    title: 'これまでの記録',
    empty: 'まだ何もありません。',
    older: '以前の記録を表示',
    signed: '署名された内容',
    granted: (client, { grantMode, tickets: n }) =>
      `${client} に${grantMode === 'selected' ? tickets(n) : '現在と今後のすべてのチケット'}へのアクセスを許可しました。`,
    takenBack: (client, actions) => `${client} から取り消しました：${actions}。`,
    chosen: (client, { grantMode, tickets: n }) =>
      `${client} のチケットを変更しました：${grantMode === 'selected' ? tickets(n) : '現在と今後のすべて'}。`,
    left: (client, { reason, tickets: n }) =>
      reason === 'event_ended'
        ? `イベントが終了したため、${tickets(n)}が ${client} のアクセスから外れました。`
        : `手元にないため、${tickets(n)}が ${client} のアクセスから外れました。`,
    ended: {
      fan: (client) => `${client} のアクセスを終了しました。`,
      app: (client) => `${client} がアクセスを返上しました。`,
      service: (client) => `保護のため、こちらで ${client} のアクセスを終了しました。`,
    },
    listed: (client, ticket) => `${client} がチケットの出品に署名を受けました：${ticket}。`,
    unlisted: (client, ticket) => `${client} が出品の取り下げに署名を受けました：${ticket}。`,
    claims: {
      pending: (client, ticket) => `${client} がチケットを受け取っています：${ticket}。`,
      submitted: (client, ticket) => `${client} がチケットを受け取っています：${ticket}。`,
      confirmed: (client, ticket) => `${client} がチケットを受け取りました：${ticket}。`,
      failed: (client, ticket) => `${client} はチケットを受け取れませんでした：${ticket}。`,
    },
    tried: {
      'tickets.list': (client) => `${client} がチケットを見ようとしました。`,
      'listings.sign': (client) => `${client} がチケットを出品または取り下げようとしました。`,
      'claims.execute': (client) => `${client} がチケットを受け取ろうとしました。`,
      'token.refresh': (client) => `${client} がアクセスを更新しようとしました。`,
    },
    refused: {
      ended: 'アクセスが終了していたため、拒否されました。',
      notAllowed: '許可されていないため、拒否されました。',
      notFound: '許可したチケットではないため、拒否されました。',
      rule: '規則に反していたため、拒否されました。',
    },
    times: (n) => `1 時間に ${n} 回。`,
  },
};

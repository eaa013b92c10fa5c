import { durationIn } from './plural.ts';
import type { Texts } from './texts.ts';

const duration = durationIn('ja');

export const texts: Texts = {
  direction: 'ltr',
  actions: {
    'fan:read': { kind: 'see', title: 'ファンアカウントを見る', detail: 'アカウントの基本情報。' },
    'fan:tickets:read': {
      kind: 'see',
      title: 'チケットを見る',
      detail: 'これからのチケットのイベント、券種、購入日。',
    },
    'fan:listings:read': { kind: 'see', title: '出品を見る', detail: '販売中のチケット。' },
    'fan:profile:read': { kind: 'see', title: 'プロフィールを見る', detail: 'ファンプロフィールの内容。' },
    'fan:waitlist:read': { kind: 'see', title: 'キャンセル待ちを見る', detail: 'キャンセル待ちをしているイベント。' },
    'fan:cart:read': { kind: 'see', title: 'カートを見る', detail: 'カートに入れたチケット。' },
    'fan:write': { kind: 'act', title: 'ファンアカウントを変更する', detail: 'アカウントの基本設定を変更します。' },
    'fan:tickets:write': {
      kind: 'act',
      title: 'チケットを管理する',
      detail: 'あなたに代わってチケットに変更を加えます。',
    },
    'fan:listings:write': {
      kind: 'act',
      title: 'チケットを出品する',
      detail: 'あなたの名前でチケットを売りに出し、また取り下げます。',
    },
    'fan:claims:write': {
      kind: 'act',
      title: 'チケットを受け取る',
      detail: 'あなた宛てに譲渡されたチケットをアカウントに取り込みます。',
    },
    'fan:profile:write': {
      kind: 'act',
      title: 'プロフィールを編集する',
      detail: 'ファンプロフィールの内容を変更します。',
    },
    'fan:waitlist:write': {
      kind: 'act',
      title: 'キャンセル待ちに登録する',
      detail: 'キャンセル待ちへの登録と取り消しを行います。',
    },
    'fan:cart:write': {
      kind: 'act',
      title: 'カートに入れる',
      detail: 'カートにチケットを入れたり、取り出したりします。',
    },
  },
  ended: {
    session_not_found: {
      title: 'このログインリンクは使えません',
      detail: 'リンクが不完全か、すでに終了したログインのものです。誰もログインしていません。',
    },
    session_expired: {
      title: 'このログインは期限切れです',
      detail: '安全のため、ログインは短い時間だけ有効です。何も共有されていません。',
    },
    session_elsewhere: {
      title: 'このログインは別のブラウザーのものです',
      detail:
        'ログインは、始めたブラウザーでだけ続けられます。誰かからこのリンクが送られてきた場合は、このページを閉じてください。使うと、その人にチケットを渡してしまうおそれがあります。',
    },
    too_many_tries: {
      title: 'コードの間違いが多すぎます',
      detail: 'アカウントを守るため、このログインを停止しました。何も共有されていません。',
    },
    fan_stopped: {
      title: 'この番号でのログインは停止されています',
      detail:
        '現在この番号ではログインできません。元のアプリのサポートにお問い合わせください。何も共有されていません。',
    },
    done: { title: '完了しました', detail: 'このログインはすでに終わっています。このページを閉じてかまいません。' },
  },
  failures: {
    wrong_step: () => 'この手順はすでに済んでいます。現在の画面を表示しました。',
    invalid_phone: () => 'この番号にはコードを送信できません。番号を確認するか、別の番号を使ってください。',
    resend_too_soon: (seconds = 30) => `新しいコードは${duration(seconds)}後に送信できます。`,
    wrong_code: () => 'コードが違います。',
    code_expired: () => 'このコードは期限切れです。新しいコードを送信してください。',
    invalid_selection: () => '選んだチケットの一部がなくなりました。選択を確認して、もう一度お試しください。',
    rate_limited: (seconds) =>
      seconds === undefined
        ? 'このログインではこれ以上コードを送信できません。キャンセルして、アプリからやり直してください。'
        : `回数が多すぎます。${duration(seconds)}お待ちください。`,
    verification_unavailable: (seconds = 60) =>
      `現在コードの送信または確認ができません。${duration(seconds)}ほどしてからもう一度お試しください。`,
    unavailable: (seconds = 60) => `現在ご利用いただけません。${duration(seconds)}ほどしてからもう一度お試しください。`,
    internal: () => 'こちら側で問題が発生しました。もう一度お試しください。',
    unreachable: () => '接続できません。インターネット接続を確認して、もう一度お試しください。',
  },
  sandbox: {
    name: 'サンドボックス',
    detail: 'テストユーザー専用です。SMSは送信されず、本物のチケットには影響しません。',
  },
  lead: 'がファンアカウントへの接続を求めています',
  progress: '進み具合',
  steps: { phone: '電話番号', code: 'コード', consent: '許可の選択' },
  loading: 'お待ちください',
  failed: 'ログイン画面を読み込めませんでした',
  retry: 'もう一度試す',
  cancel: (client) => `キャンセルして${client}に戻る`,
  caution: (client) => `ご自身で${client}から来た場合にだけ進んでください。`,
  leaving: (client) => `${client}に戻っています`,
  back: (client) => `${client}に戻る`,
  startAgain: (client) => `${client ?? '元のアプリ'}に戻って、もう一度始めてください。`,
  goBack: (client) => `${client}に戻って続けてください。`,
  closingSoon: '安全のため、このログインは1分以内に終了します。',
  phone: {
    title: '電話番号でログイン',
    detail: 'ご本人であることを確認するため、コードを送信します。',
    sandboxDetail: 'サンドボックスのテストユーザーの電話番号を入力してください。',
    country: '国・地域',
    chooseCountry: '国・地域を選択',
    label: '携帯電話番号',
    hint: '別の国の番号は、国を選ぶか、+ と国番号から入力してください。',
    submit: '次へ',
    busy: 'コードを送信しています',
    incomplete: '電話番号が正しくありません。国と番号を確認してください。',
  },
  code: {
    title: 'コードを入力',
    sentTo: '6桁のコードを送信しました:',
    sandboxDetail: 'テストユーザーの6桁のコードを入力してください:',
    label: '6桁のコード',
    incomplete: 'コードは6桁です。',
    triesLeft: (n) => `あと${n}回入力できます。`,
    submit: '確認',
    busy: 'コードを確認しています',
    resend: '新しいコードを送信',
    resendIn: (seconds) => `新しいコードはあと${seconds}秒`,
    resent: '新しいコードを送信しました。',
    sandboxResent: 'テストユーザーのコードは変わりません。',
    changeNumber: '別の番号を使う',
  },
  consent: {
    title: '許可する内容を選択',
    detail: (client) =>
      `${client}に見せたくないこと、させたくないことのチェックを外してください。許可するまで何も共有されません。`,
    plainTitle: (client) => `${client}に進む`,
    plainDetail: (client) =>
      `${client}には、ファンアカウントがあることとその識別子だけが伝わります。チケットは見られません。`,
    plainSubmit: '次へ',
    plainDeny: 'キャンセル',
    see: '見ることができるもの',
    act: 'あなたに代わってできること',
    otherDetail: 'このアプリの権限です。',
    tickets: '対象のチケット',
    all: '現在と今後のすべてのチケット',
    allDetail: (tickets) =>
      tickets === 0
        ? '現在、これからのチケットはありません。今後手に入れるチケットも、確認なしに含まれます。'
        : `現在の${tickets}枚と、今後手に入れるすべてのチケットが、確認なしに含まれます。`,
    selected: '選んだチケットだけ',
    selectedDetail: '1枚ずつ選びます。今後手に入れるチケットは共有されません。',
    noneToSelect: '選べるチケットがありません。',
    search: 'チケットを検索',
    noneFound: '該当するチケットはありません。',
    selectAll: 'すべて選択',
    selectNone: 'すべて解除',
    selectFound: '表示中を選択',
    deselectFound: '表示中を解除',
    selectedCount: (selected, all) => `${all}枚中${selected}枚を選択中`,
    ticketNumber: (position, all) => `${all}枚中${position}枚目`,
    chooseAction: '1つ以上チェックするか、「拒否」を選んでください。',
    chooseTicket: '1枚以上選ぶか、「現在と今後のすべてのチケット」を選んでください。',
    submit: '許可する',
    deny: '拒否',
    busy: 'お待ちください',
  },
};

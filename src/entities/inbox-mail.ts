import { defineEntity, p } from '@mikro-orm/core';

/** An e-mail for the development inbox. Not written where mail is sent. */
const InboxMailSchema = defineEntity({
  name: 'InboxMail',
  properties: {
    id: p.bigint().primary().autoincrement(),
    recipient: p.string().length(254),
    subject: p.string().length(200),
    body: p.text(),
    sentAt: p.datetime().index(),
  },
});

export class InboxMail extends InboxMailSchema.class {}
InboxMailSchema.setClass(InboxMail);

import { defineEntity, p } from '@mikro-orm/core';

/** The last code for a number, for the development inbox. Not written in production. */
const InboxMessageSchema = defineEntity({
  name: 'InboxMessage',
  properties: {
    /** E.164. */
    phone: p.string().length(16).primary(),
    code: p.string().length(10),
    sentAt: p.datetime(),
  },
});

export class InboxMessage extends InboxMessageSchema.class {}
InboxMessageSchema.setClass(InboxMessage);

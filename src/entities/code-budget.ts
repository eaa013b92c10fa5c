import { defineEntity, p } from '@mikro-orm/core';

/** Codes that were sent on a day, in all countries together. */
const CodeBudgetSchema = defineEntity({
  name: 'CodeBudget',
  properties: {
    /** Of UTC. */
    day: p.date().primary(),
    sent: p.integer(),
  },
});

export class CodeBudget extends CodeBudgetSchema.class {}
CodeBudgetSchema.setClass(CodeBudget);

import { defineEntity, p } from '@mikro-orm/core';

/** Codes sent on a day, to all countries. */
const CodeBudgetSchema = defineEntity({
  name: 'CodeBudget',
  properties: {
    /** UTC. */
    day: p.date().primary(),
    sent: p.integer(),
  },
});

export class CodeBudget extends CodeBudgetSchema.class {}
CodeBudgetSchema.setClass(CodeBudget);

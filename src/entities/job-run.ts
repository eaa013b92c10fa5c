import { defineEntity, p } from '@mikro-orm/core';

/** The last success of a background job, in any process. */
const JobRunSchema = defineEntity({
  name: 'JobRun',
  properties: {
    job: p.string().length(60).primary(),
    /** By the clock of the database; null before its first success. */
    succeededAt: p.datetime().nullable(),
    /** Runs that failed since then. */
    failures: p.integer().default(0),
  },
});

export class JobRun extends JobRunSchema.class {}
JobRunSchema.setClass(JobRun);

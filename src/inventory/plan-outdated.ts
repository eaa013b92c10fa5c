/** Somebody else changed what a plan is about: it must be made again. */
export class PlanOutdated extends Error {
  constructor() {
    super('the rows that the plan is about were changed meanwhile');
    this.name = 'PlanOutdated';
  }
}

/** A move has nothing to do yet: it is looked at again, and nothing is wrong with it. */
export class MoveWaits extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'MoveWaits';
  }
}

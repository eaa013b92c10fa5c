/** Loaded before a process of the service (`--import`): its clock is off by `CLOCK_OFF_MS`. Timers run as ever. */
const off = Number(process.env.CLOCK_OFF_MS);
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [RealDate.now() + off] : args, self),
  apply: () => new RealDate(RealDate.now() + off).toString(),
  get: (target, key) => (key === 'now' ? () => RealDate.now() + off : Reflect.get(target, key)),
});

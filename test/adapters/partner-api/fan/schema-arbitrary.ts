import fc from 'fast-check';
import { resolve } from '../../../support/openapi.ts';

/** The part of JSON Schema that the descriptions of requests use. */
interface Schema {
  type?: string;
  const?: string;
  enum?: string[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: object;
  properties?: Record<string, object>;
  required?: string[];
  additionalProperties?: object | boolean;
  oneOf?: object[];
}

/** Values that fit a schema. @throws where the schema has what is not known here: it would generate less than it says */
export function fitting(given: object): fc.Arbitrary<unknown> {
  const schema = resolve<Schema>(given);
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map(fitting));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'string':
      return text(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000_000 });
    case 'boolean':
      return fc.boolean();
    case 'array': {
      const { minItems: minLength = 0, maxItems: maxLength = 12 } = schema;
      return fc.array(fitting(schema.items ?? {}), { minLength, maxLength });
    }
    case 'object': {
      const { properties, required: requiredKeys = [], additionalProperties: others } = schema;
      if (properties === undefined && typeof others === 'object') {
        return fc.dictionary(fc.stringMatching(/^[a-z]{1,20}$/), fitting(others), { maxKeys: 3 });
      }
      const fields: Record<string, fc.Arbitrary<unknown>> = {};
      for (const [name, field] of Object.entries(properties ?? {})) fields[name] = fitting(field);
      return fc.record(fields, { requiredKeys });
    }
    default:
      throw new Error(`no values are known for ${JSON.stringify(schema)}`);
  }
}

function text({ pattern, minLength = 0, maxLength = 300 }: Schema): fc.Arbitrary<string> {
  // half as long: a character may be two UTF-16 units
  if (pattern === undefined)
    return fc.string({ unit: 'binary', minLength, maxLength: Math.max(minLength, maxLength / 2) });
  const matching = fc.stringMatching(new RegExp(pattern));
  return matching.filter(({ length }) => length >= minLength && length <= maxLength);
}

/** Values near those that fit: one of them with a part removed, replaced, repeated or added. Some still fit. */
export function near(given: object): fc.Arbitrary<unknown> {
  const step = fc.record({ at: fc.nat(), change: fc.constantFrom(...CHANGES), other: fc.jsonValue({ maxDepth: 2 }) });
  return fc.oneof(
    { weight: 1, arbitrary: fc.jsonValue() },
    {
      weight: 9,
      arbitrary: fc
        .tuple(fitting(given), step)
        .map(([value, { at, change, other }]) => changed(value, at, change, other)),
    },
  );
}

const CHANGES = ['remove', 'replace', 'add', 'lengthen', 'cut', 'repeat'] as const;
type Change = (typeof CHANGES)[number];

function changed(value: unknown, at: number, change: Change, other: unknown): unknown {
  const copy = { root: structuredClone(value) };
  const places = placesIn(copy);
  const place = places[at % places.length];
  if (place === undefined) return other;
  const [holder, key] = place;
  const before = holder[key];
  if (change === 'remove' && Array.isArray(holder)) holder.splice(Number(key), 1);
  else if (change === 'remove') delete holder[key];
  else if (change === 'lengthen' && typeof before === 'string') holder[key] = `${before}${before || 'x'}!`;
  else if (change === 'cut' && typeof before === 'string') holder[key] = before.slice(1);
  else if (change === 'repeat' && Array.isArray(before)) holder[key] = Array.from({ length: 12 }, () => before[0]);
  else if (change === 'add' && isObject(before)) before.unknown_field = other;
  else holder[key] = other;
  return copy.root;
}

type Holder = Record<string, unknown>;

function placesIn(holder: Holder): [Holder, string][] {
  return Object.entries(holder).flatMap(([key, value]) => [
    [holder, key] as [Holder, string],
    ...(typeof value === 'object' && value !== null ? placesIn(value as Holder) : []),
  ]);
}

function isObject(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { builder } from './builder.ts';
import { BIG_INT, DATE_TIME, JSON_VALUE } from './scalar-values.ts';

builder.scalarType('DateTime', DATE_TIME);
builder.scalarType('BigInt', BIG_INT);
builder.scalarType('JSON', JSON_VALUE);

import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { sqlIndex } from './sql-index.ts';

/** `interrupted`: its connection broke off or its process ended; the same file resumes it. */
export const IMPORT_STATES = ['running', 'finished', 'interrupted'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

export const IMPORT_FORMATS = ['ndjson', 'csv'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** How the file was sent. */
export const IMPORT_SOURCES = ['http', 'cli'] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];

/** One file of inventory rows on its way in. Its counts are of rows; a batch that was under way at a crash counts again. */
const ImportRunSchema = defineEntity({
  name: 'ImportRun',
  indexes: [
    { properties: ['state', 'heartbeatAt'] },
    { properties: ['state', 'id'] },
    sqlIndex('import_run_named', 'on import_run (id) where file_name is not null'),
  ],
  properties: {
    id: primaryId('imp'),
    state: p.enum(IMPORT_STATES),
    source: p.enum(IMPORT_SOURCES),
    format: p.enum(IMPORT_FORMATS),
    /** As the caller names it. */
    fileName: p.string().length(200).nullable(),
    /** As audit entries name the caller. */
    actor: p.string().length(80),
    /** Lines of the file that are done; the same file resumes after them. */
    lines: p.integer(),
    /** Chained hash over those lines, which detects another file. */
    hash: p.string().length(43),
    /** Whether the last line is done. */
    receivedAll: p.boolean(),
    created: p.integer(),
    updated: p.integer(),
    unchanged: p.integer(),
    stale: p.integer(),
    /** Rows that failed, and are kept for 30 days. */
    failed: p.integer(),
    /** The process that works on it: a random value, which another process replaces when it takes over. */
    lease: p.uuid(),
    heartbeatAt: p.datetime(),
    startedAt: p.datetime(),
    finishedAt: p.datetime().nullable(),
    /** Why it was interrupted, for people. */
    message: p.string().length(500).nullable(),
  },
});

export class ImportRun extends ImportRunSchema.class {}
ImportRunSchema.setClass(ImportRun);

/** A row that failed, as it was given. */
const ImportFailureSchema = defineEntity({
  name: 'ImportFailure',
  properties: {
    run: () => p.manyToOne(ImportRun).primary(),
    /** In the file, from 1. */
    line: p.integer().primary(),
    kind: p.string().length(20).nullable(),
    reference: p.string().length(200).nullable(),
    /** A code of `ROW_REASONS` or `LINE_FAULTS`. */
    reason: p.string().length(40),
    /** For people. */
    message: p.string().length(500),
    /** The row as JSON; of a line that is no row, the beginning of its text as a JSON string. As text, because `jsonb` accepts no NUL. */
    row: p.text(),
    /** When it failed first. */
    at: p.datetime().index(),
  },
});

export class ImportFailure extends ImportFailureSchema.class {}
ImportFailureSchema.setClass(ImportFailure);

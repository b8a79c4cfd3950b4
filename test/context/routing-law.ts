import { decode } from '@toon-format/toon'
import fc from 'fast-check'
import { expect } from 'vitest'
import { smallestText } from '../../src/context/encode/smallest-text.ts'
import { outputRouter } from '../../src/context/output-router.ts'
import { memoryOutputs, type OutputStore } from '../../src/context/stored-outputs.ts'
import { estimateTokens } from '../../src/context/tokens.ts'
import { wholeOutput } from '../../src/context/whole-text.ts'
import type { ContentPart, ToolResult } from '../../src/tool/result/result.ts'
import { readTables } from './read-table.ts'

const LEAVES = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 400 }) },
  { weight: 1, arbitrary: fc.lorem({ maxCount: 60 }) },
  { weight: 3, arbitrary: fc.double() },
  { weight: 2, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false, '', '<tool_output>', '2026-11-16T10:00:00Z', '__proto__') },
)

/** Values as tools give them: lists of records, maps, series, nested ones, long texts. */
const VALUES = fc.letrec((tie) => ({
  leaf: LEAVES,
  record: fc.dictionary(
    fc.oneof(fc.constantFrom('id', 'name', 'total', 'created_at', 'items', '__proto__', 'a.b'), fc.string({ maxLength: 8 })),
    tie('value'),
    { maxKeys: 8 },
  ),
  list: fc.array(tie('value'), { maxLength: 12 }),
  rows: fc.array(
    fc.record(
      {
        id: fc.integer(),
        name: fc.string({ maxLength: 12 }),
        total: fc.double({ noNaN: true }),
        when: fc.date({ noInvalidDate: true }).map(String),
      },
      { requiredKeys: ['id'] },
    ),
    { maxLength: 60 },
  ),
  value: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('record'), tie('list'), tie('rows')),
})).value

const TEXTS = fc.oneof(
  fc.lorem({ maxCount: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 3000 }),
  fc
    .array(
      fc.tuple(
        fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
        fc.constantFrom('INFO', 'ERROR', 'WARN'),
        fc.lorem({ maxCount: 8 }),
      ),
      { maxLength: 80 },
    )
    .map((lines) => lines.map(([at, level, text]) => `${at.toISOString()} ${level} ${text}`).join('\n')),
  fc
    .array(fc.array(fc.oneof(fc.integer().map(String), fc.lorem({ maxCount: 2 })), { minLength: 3, maxLength: 3 }), { maxLength: 80 })
    .map((rows) => rows.map((row) => row.join(',')).join('\n')),
  fc.uint8Array({ minLength: 200, maxLength: 2000 }).map((bytes) => `before ${Buffer.from(bytes).toString('base64')} after`),
  fc.string({ maxLength: 500 }).map((text) => `<html><body><h1>${text}</h1><table><tr><td>1<td>${text}</table>`),
)

const PARTS = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: fc.lorem({ maxCount: 20 }) }),
    fc.record({
      type: fc.constantFrom('image' as const, 'audio' as const),
      data: fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes).toString('base64')),
      mimeType: fc.constantFrom('image/png', 'audio/wav'),
    }),
    fc.record({ type: fc.constant('resource' as const), uri: fc.webUrl(), text: fc.lorem({ maxCount: 20 }) }),
  ),
  { maxLength: 3 },
)

const RESULTS: fc.Arbitrary<ToolResult<unknown>> = fc
  .tuple(fc.oneof(VALUES, TEXTS), fc.option(PARTS, { nil: undefined }))
  .map(([value, content]) => result(value, content))

function result(value: unknown, content?: readonly ContentPart[]): ToolResult<unknown> {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return {
    ok: true,
    text,
    value,
    ...(content === undefined ? {} : { content }),
    provenance: { tool: 'any@1.0.0', invocationId: 'call-1', timestamp: 0 },
  }
}

const BUDGETS = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 100, max: 3000 }))

/** Admits random outputs within random budgets. The answer has the levels at which they entered. */
export async function checkRouting(numRuns: number): Promise<ReadonlySet<string>> {
  const levels = new Set<string>()
  await fc.assert(
    fc.asyncProperty(RESULTS, BUDGETS, fc.lorem({ maxCount: 6 }), async (given, budget, task) => {
      const store = memoryOutputs()
      const chat = outputRouter({ budget, store, countTokens: estimateTokens }).conversation({ task })
      const admitted = await chat.admit(given)
      expect(estimateTokens(admitted.text)).toBeLessThanOrEqual(budget)
      expect(admitted.tokens).toBe(estimateTokens(admitted.text))
      levels.add(admitted.level ?? 'none')
      if (admitted.text !== '') expect(chat.frame.read(admitted.text)).toHaveLength(1)
      if (admitted.pointer === undefined) return
      expect(await readBack(admitted.pointer, store)).toBe(wholeOutput(given).text)
    }),
    { numRuns },
  )
  return levels
}

/** Writes random values in the encoding with the fewest tokens, and reads them back. The answer has the encodings that were taken. */
export async function checkEncodings(numRuns: number): Promise<ReadonlySet<string>> {
  const encodings = new Set<string>()
  await fc.assert(
    fc.asyncProperty(VALUES, async (value) => {
      // What JSON has no word for is not part of an output.
      const json = JSON.stringify(value) ?? 'null'
      const plain: unknown = JSON.parse(json)
      const { text, encoding } = await smallestText(plain, JSON.stringify(plain, null, 2), estimateTokens)
      encodings.add(encoding)
      expect(decoded(text, encoding)).toEqual(plain)
    }),
    { numRuns },
  )
  return encodings
}

function decoded(text: string, encoding: string): unknown {
  if (encoding === 'toon') return decode(text)
  return encoding === 'table' ? readTables(text) : JSON.parse(text)
}

/** Everything that `read_output` gives of a stored output, one piece after the other. */
async function readBack(pointer: string, store: OutputStore): Promise<string> {
  const { readOutput } = outputRouter({ budget: 100_000, store }).conversation()
  let text = ''
  for (let at: number | undefined = 0; at !== undefined;) {
    const page: ToolResult<unknown> = await readOutput.call({ pointer, at })
    const [, piece = page.text, next] = /^(.*)\n\[read on with at: (\d+)\]$/s.exec(page.text) ?? []
    text += piece
    at = next === undefined ? undefined : Number(next)
  }
  return text
}

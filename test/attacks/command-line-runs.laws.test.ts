import fc from 'fast-check'
import { compound, gate, tool, ToolError } from 'toolwright'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { cliHere } from '../cli/cli-here.ts'
import { isFull } from '../fixtures/is-full.ts'
import { durableRuns, openRequests, untilStatus } from '../fixtures/run/durable-runs.ts'
import { expectOwnLines, foreignTexts } from './foreign-lines.ts'

const CASES = isFull ? 120 : 5
const SECRET = 'k-4711-of-the-run-89'

const database = durableRuns()
const foreign = foreignTexts(['__proto__', 'constructor', '%s', '--json', 'x'.repeat(300)])
/** What the database takes as a name: no zero and no lone surrogate. */
const kept = foreign.map((text) => text.replaceAll(/\0|\p{Surrogate}/gu, ''))

let count = 0

const inputSchema = z.object({ to: z.string(), password: z.string().meta({ sensitive: true }) })

const cases = fc.record({
  texts: fc.tuple(kept, kept, kept, kept, kept, kept),
  by: foreign,
  columns: fc.constantFrom(undefined, 80, 33),
  isJson: fc.boolean(),
  end: fc.constantFrom('approve', 'edit', 'misfit', 'not JSON', 'reject', 'stop', 'cancel'),
})

/** The decisions that a person types, and whether they let the call run. */
function wordsOf(
  end: string,
  request: string,
  { run, by, text }: { readonly run: string; readonly by: string; readonly text: string },
): readonly string[] {
  switch (end) {
    case 'approve':
      return ['approve', request, '--by', by, '--note', `${text} ${SECRET}`]
    case 'edit':
      return ['approve', request, '--by', by, '--patch', JSON.stringify({ to: text, password: `${SECRET}-edited` })]
    case 'misfit':
      return ['approve', request, '--by', by, '--patch', JSON.stringify({ to: [text], password: [SECRET] })]
    case 'not JSON':
      return ['approve', request, '--by', by, '--input', `{"password": ${SECRET}`]
    case 'reject':
      return ['reject', request, '--by', by, text, SECRET]
    case 'stop':
      return ['reject', request, '--by', by, '--stop', text]
    default:
      return ['cancel', run, text]
  }
}

/** Those after which the call runs. */
const RUNS: ReadonlySet<string> = new Set(['approve', 'edit'])

test(
  `whatever names a run, its caller and its decider have, no line of a command is theirs, in ${CASES} runs`,
  { timeout: 900_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ texts, by, columns, isJson, end }) => {
        count++
        const [key, session, agent, why, message, id] = texts
        const ran: unknown[] = []
        const pay = gate(
          tool({
            name: 'pay',
            description: 'Pays.',
            effect: 'write',
            idempotent: 'keyed',
            inputSchema,
            execute: (input, { progress }): string => {
              ran.push(input)
              progress(`${message} ${input.password}`)
              throw new ToolError(`${message} ${input.password}`, { code: message, hint: message })
            },
          }),
          { why },
        )
        const whole = compound({
          name: 'whole',
          description: 'd',
          inputSchema,
          parts: { pay },
          run: (input, { call }) => call('pay', pay, input),
        })
        const runs = await database.open([whole])
        const input = { to: message, password: SECRET }
        const { id: run } = await runs.start(whole, input, {
          key: `${count}${key}`,
          session: `s${session}`,
          agent: `a${agent}`,
          principal: { id: `p${id}`, permissions: [] },
        })
        const [request = ''] = await openRequests(runs, run, 1)
        await untilStatus(runs, run, 'waiting')
        const printed = async (words: readonly string[]): Promise<number | null> => {
          const line = [...words, ...(isJson ? ['--json'] : [])]
          const said = await cliHere(line, { columns, env: { TOOLWRIGHT_HOME: database.home, DATABASE_URL: '' } })
          const all = `${said.stdout}\n${said.stderr}`
          expectOwnLines(said, { columns, isJson: line.includes('--json') || line.includes('--export') })
          expect(all, line.join(' ')).not.toContain(SECRET)
          expect(all).not.toContain('"code": "unexpected"')
          expect(all).not.toMatch(/^error: (TypeError|RangeError|ReferenceError)/m)
          return said.code
        }
        const views = [['runs'], ['show', run], ['approvals', '--list'], ['approvals', request], ['runs', '--key', `${count}${key}`]]
        for (const view of views) expect(await printed(view)).toBe(0)
        await printed(['assign', request, by])
        expect(await printed(wordsOf(end, request, { run, by, text: why }))).toBe(end === 'misfit' ? 1 : end === 'not JSON' ? 2 : 0)
        const isDecided = RUNS.has(end) || ['reject', 'stop', 'cancel'].includes(end)
        if (isDecided) await (await runs.get(run)).result().catch(() => undefined)
        expect(ran).toHaveLength(RUNS.has(end) ? 1 : 0)
        if (end === 'approve') expect(ran).toEqual([input])
        if (end === 'edit') expect(ran).toEqual([{ to: why, password: `${SECRET}-edited` }])
        for (const view of [
          ['runs'],
          ['show', run],
          ...(isJson ? [] : [['show', run, '--timeline']]),
          ['show', run, '--export', '-'],
          ['approvals', request],
        ])
          expect(await printed(view)).toBe(0)
        if (!isDecided) await (await runs.get(run)).cancel()
        await runs.close()
      }),
      { numRuns: CASES },
    )
  },
)

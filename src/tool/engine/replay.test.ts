import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../../combinators/gate/gate.ts'
import { first } from '../../combinators/parallel/join.ts'
import { parallel } from '../../combinators/parallel/parallel.ts'
import { fakeClock, settled } from '../../testing/fake-clock.ts'
import type { AgentTool } from '../agent-tool.ts'
import { compound } from '../compound.ts'
import type { ToolContext } from '../context.ts'
import { type JournalEntry, memoryJournal } from '../journal/journal.ts'
import type { ToolResult } from '../result/result.ts'
import { tool } from '../tool.ts'

type Run = (input: string, context: ToolContext, parts: Readonly<Record<string, AgentTool<string, string>>>) => Promise<unknown>

/** Tools that write down what they did. */
function world() {
  const done: string[] = []
  const effect = (name: string): AgentTool<string, string> =>
    tool({
      name,
      description: 'Takes effect.',
      effect: 'write',
      idempotent: 'keyed',
      execute: () => {
        done.push(name)
        return name
      },
    })
  const look = tool({ name: 'look', description: 'Reads.', effect: 'read', execute: () => (done.push('look'), 'seen') })
  const parts = { reserve: effect('reserve'), pay: effect('pay'), mail: effect('mail'), look, ask: gate(effect('asked')) }
  const program = (run: Run): AgentTool<string, unknown> =>
    compound({ name: 'program', description: 'p', parts, run: async (i, c) => run(i, c, parts) })
  return { done, program }
}

interface Taking {
  /** The program does work of its own that takes real time. */
  readonly isReal?: boolean
}

/** Runs until it ends, or until nothing moves without a person. */
async function runUntilParked(program: AgentTool<string, unknown>, past: readonly JournalEntry[] = [], { isReal = false }: Taking = {}) {
  const clock = isReal ? undefined : fakeClock()
  const journal = memoryJournal(past)
  let isAsking = false
  const running = program.call('x', {
    journal,
    clock,
    idempotencyKey: 'run',
    deadline: Infinity,
    review: {
      review: () => {
        isAsking = true
        return new Promise(() => {})
      },
    },
  })
  const ended = (clock?.until(running) ?? running).then(
    (result): { result?: ToolResult; error?: unknown } => ({ result }),
    (error: unknown): { result?: ToolResult; error?: unknown } => ({ error }),
  )
  for (let turn = 0; turn < 20 && !isAsking; turn++) await (isReal ? pause(5) : settled())
  const end = isAsking ? undefined : await ended
  return { entries: journal.entries, end, isAsking }
}

const begun: Run = async (_input, context, { reserve, ask }) => {
  await context.call('reserve', reserve as never, 'x')
  await context.decide('amount', () => 7)
  return context.call('ask', ask as never, 'x')
}

const refused: readonly (readonly [string, Run, string])[] = [
  [
    'a step that it did is renamed',
    async (_input, context, { reserve, ask }) => {
      await context.call('reserve_all', reserve as never, 'x')
      await context.decide('amount', () => 7)
      return context.call('ask', ask as never, 'x')
    },
    "the call 'program/reserve'",
  ],
  [
    'a step that takes effect comes before those that it did',
    async (input, context, parts) => {
      await context.call('pay', parts['pay'] as never, 'x')
      return begun(input, context, parts)
    },
    "begins 'program/pay'",
  ],
  ['a step that it did is no more, and it ends', async () => 'done', "the call 'program/reserve'"],
  [
    'a step that it did is no more, and another one comes',
    async (_input, context, { mail }) => context.call('mail', mail as never, 'x'),
    "begins 'program/mail'",
  ],
  [
    'steps change places, and one of them was not done yet',
    async (_input, context, { reserve, ask, pay }) => {
      await context.call('pay', pay as never, 'x')
      await context.call('reserve', reserve as never, 'x')
      await context.decide('amount', () => 7)
      return context.call('ask', ask as never, 'x')
    },
    "begins 'program/pay'",
  ],
  [
    'what it decided is decided under another name',
    async (_input, context, { reserve, ask }) => {
      await context.call('reserve', reserve as never, 'x')
      await context.decide('sum', () => 8)
      return context.call('ask', ask as never, 'x')
    },
    "the decision 'program/amount'",
  ],
  [
    'the person whom it asked is asked no more',
    async (_input, context, { reserve, pay }) => {
      await context.call('reserve', reserve as never, 'x')
      await context.decide('amount', () => 7)
      return context.call('pay', pay as never, 'x')
    },
    "the question 'program/ask:approval'",
  ],
  [
    'it sleeps first, which it did not',
    async (input, context, parts) => {
      await context.sleep(1000)
      return begun(input, context, parts)
    },
    "begins 'program/sleep'",
  ],
]

describe('a run of a compound that is taken up under other code', () => {
  test.each(refused)('is refused where %s, before anything runs [G5]', async (_title, changed, named) => {
    const { done, program } = world()
    const parked = await runUntilParked(program(begun))
    expect(done).toEqual(['reserve'])
    const { end } = await runUntilParked(program(changed), parked.entries)
    expect(end?.error).toMatchObject({ code: 'replay_diverged', message: expect.stringContaining(named) })
    expect(done).toEqual(['reserve'])
  })

  const accepted: readonly (readonly [string, Run])[] = [
    ['nothing has changed', begun],
    [
      'it reads something first',
      async (input, context, parts) => {
        await context.call('look', parts['look'] as never, 'x')
        return begun(input, context, parts)
      },
    ],
    [
      'more comes after',
      async (input, context, parts) => {
        const result = await begun(input, context, parts)
        await context.call('mail', parts['mail'] as never, 'x')
        return result
      },
    ],
    [
      'its own work takes turns of the event loop',
      async (input, context, parts) => {
        await crypto.subtle.digest('SHA-256', new Uint8Array(1000))
        await pause(5)
        return begun(input, context, parts)
      },
    ],
  ]
  test.each(accepted)('goes on where %s [G5]', async (_title, changed) => {
    const { done, program } = world()
    const parked = await runUntilParked(program(begun))
    const { isAsking, end } = await runUntilParked(program(changed), parked.entries, { isReal: true })
    expect(end).toBeUndefined()
    expect(isAsking).toBe(true)
    expect(done.filter((name) => name !== 'look')).toEqual(['reserve'])
  })

  test('that read more, and then was refused, can still go on under the code that began it [G5]', async () => {
    const { done, program } = world()
    const parked = await runUntilParked(program(begun))
    const wrong = await runUntilParked(
      program(async (_input, context, { look, pay }) => {
        await context.call('look', look as never, 'x')
        return context.call('pay', pay as never, 'x')
      }),
      parked.entries,
    )
    expect(wrong.end?.error).toMatchObject({ code: 'replay_diverged' })
    expect(wrong.entries.length).toBeGreaterThan(parked.entries.length)
    const { isAsking } = await runUntilParked(program(begun), wrong.entries)
    expect([isAsking, done]).toEqual([true, ['reserve', 'look']])
  })

  test('of which flows run side by side, the ones that are new wait for those that are recorded [G5]', async () => {
    const { done, program } = world()
    const flows: Run = async (_input, context, { reserve, ask, pay, mail }) => {
      const slow = async (): Promise<unknown> => {
        await context.call('reserve', reserve as never, 'x')
        await pause(3)
        await context.call('pay', pay as never, 'x')
        return context.call('ask', ask as never, 'x')
      }
      const quick = async (): Promise<unknown> => context.call('mail', mail as never, 'x')
      return Promise.all([slow(), quick()])
    }
    const live = await runUntilParked(program(flows), [], { isReal: true })
    expect(live.isAsking).toBe(true)
    const withoutMail = live.entries.filter(({ path }) => path !== 'program/mail')
    done.length = 0
    const again = await runUntilParked(program(flows), withoutMail, { isReal: true })
    expect(again.isAsking).toBe(true)
    for (let turn = 0; turn < 20 && done.length === 0; turn++) await settled()
    expect(done).toEqual(['mail'])
    const order = again.entries.slice(withoutMail.length).map(({ path }) => path)
    expect(order[0]).toBe('program/mail')
  })

  test('whose race was decided needs no visit of what the losers recorded [C3] [G5]', async () => {
    const { done, program } = world()
    const slow = tool({
      name: 'slow',
      description: 'd',
      effect: 'write',
      idempotent: 'keyed',
      execute: (_i, { sleep }) => sleep(50).then(() => 'slow'),
    })
    const quick = tool({ name: 'quick', description: 'd', effect: 'write', idempotent: 'keyed', execute: () => 'quick' })
    const race = parallel({ slow, quick }, { name: 'race', join: first() })
    const whole = compound({
      name: 'whole',
      description: 'd',
      parts: { race, next: program(begun) },
      run: async (input, context, parts) => {
        await context.call('race', parts.race, input)
        return context.call('next', parts.next, input)
      },
    })
    const parked = await runUntilParked(whole)
    expect(parked.isAsking).toBe(true)
    expect(await runUntilParked(whole, parked.entries)).toMatchObject({ isAsking: true })
    expect(done).toEqual(['reserve'])
  })
})

describe('context.patched', () => {
  const twoWays: Run = async (_input, context, { reserve, ask, pay, mail }) => {
    if (await context.patched('pay first')) await context.call('pay', pay as never, 'x')
    await context.call('reserve', reserve as never, 'x')
    await context.decide('amount', () => 7)
    const result = await context.call('ask', ask as never, 'x')
    if (await context.patched('mail')) await context.call('mail', mail as never, 'x')
    return result
  }

  test('keeps the old way for a run that had come past the change, and takes the new one later [O3]', async () => {
    const { done, program } = world()
    const parked = await runUntilParked(program(begun))
    const again = await runUntilParked(program(twoWays), parked.entries)
    expect([again.isAsking, done]).toEqual([true, ['reserve']])
    expect(again.entries.find(({ path }) => path === 'program:patched.pay first')).toMatchObject({ kind: 'decision', value: false })
  })

  test('takes the new way in a run that begins, and keeps it when the run is taken up again [O3]', async () => {
    const { done, program } = world()
    const parked = await runUntilParked(program(twoWays))
    expect(done).toEqual(['pay', 'reserve'])
    const again = await runUntilParked(program(twoWays), parked.entries)
    expect([again.isAsking, done]).toEqual([true, ['pay', 'reserve']])
  })

  test('whose old way is recorded must still be asked for, and whose new way need not [O3]', async () => {
    const { done, program } = world()
    const old = await runUntilParked(program(begun))
    const patched = await runUntilParked(program(twoWays), old.entries)
    const early = await runUntilParked(
      program(async (input, context, parts) => {
        const result = await begun(input, context, parts)
        return result
      }),
      patched.entries.filter(({ path }) => path !== 'program/ask:approval'),
    )
    expect(early.end?.error).toMatchObject({ code: 'replay_diverged', message: expect.stringContaining('patched.pay first') })
    const fresh = await runUntilParked(program(twoWays))
    const removed: Run = async (_input, context, { reserve, ask, pay }) => {
      await context.call('pay', pay as never, 'x')
      await context.call('reserve', reserve as never, 'x')
      await context.decide('amount', () => 7)
      return context.call('ask', ask as never, 'x')
    }
    expect(await runUntilParked(program(removed), fresh.entries)).toMatchObject({ isAsking: true })
    expect(done).toEqual(['reserve', 'pay', 'reserve'])
  })

  test('gives one answer to every turn of a loop, and is true in a leaf and in a run without a record [O3]', async () => {
    const { program } = world()
    const answers: boolean[] = []
    await program(async (_input, context) => {
      for (let turn = 0; turn < 3; turn++) answers.push(await context.patched('loop'))
      return 'x'
    }).call('x', { journal: memoryJournal() })
    const leaf = tool({
      name: 'leaf',
      description: 'd',
      effect: 'read',
      inputSchema: z.string(),
      execute: (_i, { patched }) => patched('a'),
    })
    expect([answers, (await leaf.call('x')).ok && (await leaf.call('x')).text]).toEqual([[true, true, true], 'true'])
  })
})

import { describe, expect, test } from 'vitest'
import { world } from '../../../test/fixtures/saga/world.ts'
import { compound } from '../../tool/compound.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import { saga } from './saga.ts'

describe('an output that cannot be recorded', () => {
  const link = (input: string): { readonly link: URL } => ({ link: new URL(`http://x/${input}`) })

  test('undoes everything in a recorded run, and from every prefix of its journal, and is given in one without a record [G1] [G3]', async () => {
    const here = world()
    const whole = saga({ name: 'whole', description: 'd' })
      .step(...here.step('a'))
      .build({ output: ({ input }) => link(input) })
    expect(await whole.call('x')).toMatchObject({ ok: true, value: link('x') })
    here.log.length = 0
    const journal = memoryJournal()
    const failed = {
      error: { code: 'not_serializable', class: 'semantic', outcome: 'failed' },
      text: "Error: The output of 'whole' cannot be recorded. A durable run cannot keep an instance of URL at $.link. Undone: a.",
      compensation: { state: 'compensated', notUndone: [] },
    }
    expect(await whole.call('x', { journal, idempotencyKey: 'k' })).toMatchObject(failed)
    expect(here.log).toEqual(['a x', 'una x'])
    for (let cut = 0; cut <= journal.entries.length; cut++) {
      const again = memoryJournal(journal.entries.slice(0, cut))
      expect(await whole.call('x', { journal: again, idempotencyKey: 'k' })).toMatchObject(failed)
      expect(again.read('whole:saga')).toMatchObject({ value: { undoing: { state: 'compensated' } } })
    }
  })

  test('a journal may refuse one for its size [G3]', async () => {
    const here = world()
    const accept = (data: unknown): void => {
      if (JSON.stringify(data).includes('much')) throw new ToolError('It is too large.', { code: 'result_too_large', outcome: 'unknown' })
    }
    const whole = saga({ name: 'whole', description: 'd' })
      .step(...here.step('a'))
      .build({ output: () => 'much' })
    const result = await whole.call('x', { journal: { ...memoryJournal(), accept } })
    expect(result).toMatchObject({ error: { code: 'result_too_large', outcome: 'failed' } })
    expect(here.log).toEqual(['a x', 'una x'])
  })

  test('of a saga inside another undoes both, and what a step gave is not reported where it cannot be kept [G1] [G3]', async () => {
    const here = world()
    const inner = saga({ name: 'inner', description: 'd' })
      .step(...here.step('b'))
      .build({ output: ({ input }) => link(input) })
    const outer = saga({ name: 'outer', description: 'd' })
      .step(...here.step('a'))
      .step('inside', inner)
      .build()
    const result = await outer.call('x', { journal: memoryJournal() })
    expect(here.log).toEqual(['a x', 'b x', 'unb x', 'una x'])
    expect(result).toMatchObject({ error: { code: 'not_serializable', outcome: 'failed' }, compensation: { failedStep: 'inside' } })

    here.log.length = 0
    const linking = compound({ name: 'linking', description: 'd', parts: {}, run: async (input: string) => link(input) })
    const flat = saga({ name: 'flat', description: 'd' })
      .step(...here.step('a'))
      .step('linking', linking)
    const kept = await flat.build({ output: ({ results }) => results.linking.value.link.href }).call('x', { journal: memoryJournal() })
    expect(kept).toMatchObject({ ok: true, value: 'http://x/x' })
    const lost = await flat.build().call('x', { journal: memoryJournal() })
    expect(lost).toMatchObject({ error: { code: 'not_serializable', message: expect.stringContaining('$.linking.link') } })
    expect(lost.compensation?.results).toEqual({ a: 'ad x' })
    expect(here.log).toEqual(['a x', 'a x', 'una x'])
  })

  test('one that is recorded as completed stays so [G3]', async () => {
    const here = world()
    let isData = true
    const whole = saga({ name: 'whole', description: 'd' })
      .step(...here.step('a'))
      .build({ output: ({ input }): unknown => (isData ? input : link(input)) })
    const journal = memoryJournal()
    await whole.call('x', { journal, idempotencyKey: 'k' })
    isData = false
    expect((await whole.call('x', { journal, idempotencyKey: 'k' })).ok).toBe(true)
    expect(here.log).toEqual(['a x'])
  })
})

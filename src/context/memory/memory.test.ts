import { describe, expect, test } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { contextMemory } from './memory.ts'
import { memoryTools } from './memory-tools.ts'

const ada = { principal: 'ada', session: 'chat-1' }
const LONG = 'The shop in Rotterdam sends parcels on Monday and Thursday, and never in the week of a public holiday.'

describe('a memory', () => {
  test('[R5] gives back what has words of the query, the nearest first', async () => {
    const memory = contextMemory()
    await memory.remember('Ada likes her invoices in English.', 'session', ada)
    await memory.remember('The warehouse of Ada is in Rotterdam, invoices go to Delft.', 'session', ada)
    await memory.remember('Parcels leave on Monday.', 'session', ada)
    const found = await memory.recall('Where do invoices for Rotterdam go?', ada)
    expect(found.map(({ text }) => text)).toEqual([
      'The warehouse of Ada is in Rotterdam, invoices go to Delft.',
      'Ada likes her invoices in English.',
    ])
  })

  test('[R5] does not write the same twice, nor nearly the same; another number is another fact', async () => {
    const memory = contextMemory()
    const first = await memory.remember(LONG, 'session', ada)
    expect(await memory.remember(`  ${LONG.toUpperCase()} `, 'session', ada)).toEqual({ id: first.id, isNew: false })
    expect(await memory.remember(LONG.replace('never', 'not'), 'session', ada)).toMatchObject({ isNew: true })
    expect(await memory.remember(`Also: ${LONG}`, 'session', ada)).toMatchObject({ isNew: false })
    expect(await memory.remember(`${LONG} It costs 12 euros.`, 'session', ada)).toMatchObject({ isNew: true })
    expect(await memory.remember(`${LONG} It costs 13 euros.`, 'session', ada)).toMatchObject({ isNew: true })
  })

  test('[R5] a layer forgets after its time', async () => {
    const clock = fakeClock()
    const memory = contextMemory({ clock, keep: { working: '10m' } })
    await memory.remember('The basket has three things.', 'working', ada)
    await memory.remember('Ada pays by invoice.', 'session', ada)
    await clock.advance(11 * 60_000)
    expect(await memory.recall('basket', ada)).toEqual([])
    expect(await memory.recall('invoice', ada)).toHaveLength(1)
  })

  test('[R5] episodes are of a principal in all conversations, the rest of one conversation; nobody else reads them', async () => {
    const memory = contextMemory()
    await memory.remember('Ada pays by invoice.', 'episodic', ada)
    await memory.remember('The basket has an invoice.', 'session', ada)
    expect(await memory.recall('invoice', { principal: 'ada', session: 'chat-2' })).toHaveLength(1)
    expect(await memory.recall('invoice', { principal: 'bob', session: 'chat-1' })).toEqual([])
    expect(await memory.recall('invoice', ada)).toHaveLength(2)
  })

  test('[R5] remember and recall are tools; what is recalled says where it comes from', async () => {
    const memory = contextMemory()
    await memory.remember('The parcel is in Delft.', 'session', ada, { tool: 'track@1.0.0', invocationId: 'c', timestamp: 0 })
    const [remember, recall] = memoryTools(memory, () => ada)
    expect(await remember.call({ text: 'Ada wants the parcel at home.' })).toMatchObject({ ok: true, value: { isNew: true } })
    const found = await recall.call({ query: 'parcel' })
    expect(found).toMatchObject({
      ok: true,
      value: expect.arrayContaining([expect.objectContaining({ text: 'The parcel is in Delft.', from: 'track@1.0.0' })]),
    })
    expect(await recall.call({ query: 'otters' })).toMatchObject({ ok: false, text: "Error: Nothing is remembered about 'otters'." })
  })
})

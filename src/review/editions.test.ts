import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate, tool } from '../index.ts'
import { settled } from '../testing/fake-clock.ts'
import type { Principal } from '../tool/principal.ts'
import { MASK } from '../tool/secrets/mask.ts'
import type { ToolResult } from '../tool/result/result.ts'
import { createInbox } from './create-inbox.ts'
import type { Inbox } from './inbox.ts'

const person = (id: string): Principal => ({ id, permissions: [] })
const [BOB, CYD] = [person('bob'), person('cyd')]

const INPUT = { amount: 250, note: 'rent', bank: { name: 'A', city: 'Bern' }, pin: 'old-pin' }

async function asking(): Promise<{ readonly inbox: Inbox; readonly id: string; readonly ended: Promise<ToolResult> }> {
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    inputSchema: z.object({
      amount: z.number(),
      note: z.string().optional(),
      bank: z.object({ name: z.string().optional(), city: z.string().optional(), code: z.string().optional() }).optional(),
      pin: z.string().meta({ sensitive: true }),
    }),
    outputSchema: z.unknown(),
    execute: (input) => ({ ran: JSON.stringify(input) }),
  })
  const inbox = createInbox()
  const ended = gate(pay, { approvals: { count: 2 } }).call(INPUT, { review: inbox.handler, principal: person('rita') })
  await settled()
  return { inbox, id: (await inbox.list())[0]?.request.id ?? '', ended }
}

async function ran(ended: Promise<ToolResult>): Promise<unknown> {
  const { value } = (await ended) as unknown as { readonly value: { readonly ran: string } }
  return JSON.parse(value.ran)
}

describe('a second edit', () => {
  test('changes the input of the first, and the ballot shows the input that will run', async () => {
    const { inbox, id, ended } = await asking()
    await inbox.edit(id, { patch: { amount: 90 } }, BOB)
    expect((await inbox.get(id))?.ballot).toMatchObject({ edition: 1, input: { ...INPUT, amount: 90, pin: MASK } })
    await inbox.edit(id, { patch: { note: 'urgent' } }, CYD, { edition: 1 })
    expect((await inbox.get(id))?.ballot).toMatchObject({ edition: 2, input: { ...INPUT, amount: 90, note: 'urgent', pin: MASK } })
    await inbox.approve(id, BOB, { edition: 2 })
    expect(await ran(ended)).toEqual({ ...INPUT, amount: 90, note: 'urgent' })
  })

  test('is refused if its editor has not seen the first', async () => {
    const { inbox, id, ended } = await asking()
    await inbox.edit(id, { patch: { amount: 90 } }, BOB)
    const stale = inbox.edit(id, { patch: { note: 'urgent' } }, CYD)
    await expect(stale).rejects.toMatchObject({ code: 'edited', message: expect.stringContaining('edited by bob after edition 0') })
    await expect(inbox.edit(id, { patch: { note: 'urgent' } }, CYD, { edition: 2 })).rejects.toMatchObject({ code: 'edited' })
    expect((await inbox.get(id))?.ballot).toMatchObject({ edition: 1, votes: [{ by: 'bob' }] })
    await inbox.approve(id, CYD, { edition: 1 })
    expect(await ran(ended)).toEqual({ ...INPUT, amount: 90 })
  })

  test('keeps a secret that the first has changed, and shows it to nobody', async () => {
    const { inbox, id, ended } = await asking()
    await inbox.edit(id, { patch: { pin: 'new-pin' } }, BOB)
    const shown = (await inbox.get(id))?.ballot?.input
    expect(shown).toEqual({ ...INPUT, pin: MASK })
    await inbox.edit(id, { input: { ...(shown as typeof INPUT), amount: 1 } }, CYD, { edition: 1 })
    await inbox.approve(id, BOB, { edition: 2 })
    expect(await ran(ended)).toEqual({ ...INPUT, amount: 1, pin: 'new-pin' })
  })

  test('does not bring back what the first has taken out', async () => {
    const { inbox, id, ended } = await asking()
    await inbox.edit(id, { patch: { bank: null, note: null } }, BOB)
    await inbox.edit(id, { patch: { bank: { code: 'X' } } }, CYD, { edition: 1 })
    expect((await inbox.get(id))?.ballot?.input).toEqual({ amount: 250, bank: { code: 'X' }, pin: MASK })
    await inbox.approve(id, BOB, { edition: 2 })
    expect(await ran(ended)).toEqual({ amount: 250, bank: { code: 'X' }, pin: 'old-pin' })
  })

  test('is checked against the input of the first', async () => {
    const { inbox, id } = await asking()
    await inbox.edit(id, { patch: { bank: null } }, BOB)
    const wrong = inbox.edit(id, { patch: { amuont: 3 } }, CYD, { edition: 1 })
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_answer' })
    expect((await inbox.get(id))?.ballot?.edition).toBe(1)
  })
})

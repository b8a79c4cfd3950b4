import { type AgentTool, createRuntime, gate, pipe, type Principal, tool } from 'toolwright'
import { memoryRuns, recordEvents } from 'toolwright/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { DOORS } from './doors.ts'

const inputSchema = z.object({ amount: z.number() })

/** A payment behind a person, in the forms that a program gives it. */
function desk(form: string): { readonly paid: number[]; readonly pay: AgentTool } {
  const paid: number[] = []
  const bare = { name: 'pay', description: 'Pays.', inputSchema, effect: 'write', permissions: ['money:pay'] } as const
  const execute = ({ amount }: { readonly amount: number }) => `Paid ${String(paid.push(amount))}.`
  const leaf = tool({ ...bare, execute })
  if (form === 'gate') return { paid, pay: gate(leaf) }
  if (form === 'requireApproval') return { paid, pay: tool({ ...bare, requireApproval: true, execute }) }
  const look = tool({ name: 'look', description: 'Looks at it.', inputSchema, effect: 'read', execute: ({ amount }) => ({ amount }) })
  return { paid, pay: pipe(gate(look), leaf) }
}

const FORMS = ['gate', 'requireApproval', 'a pipe that pays after the gate']
const DECISIONS = [{ action: 'approve' }, { action: 'edit', patch: { amount: 40 } }] as const
const TABLE = DOORS.flatMap(([door, through]) =>
  FORMS.flatMap((form) => DECISIONS.map((decision) => ({ door, through, form, decision, what: decision.action }))),
)

describe('a caller who loses a permission while a person is asked', () => {
  test.each(TABLE)('$door, $form, $what: nothing runs [T8] [T14]', async ({ through, form, decision }) => {
    const { paid, pay } = desk(form)
    let permissions = ['money:*']
    const principal = (): Principal => ({ id: 'ada', permissions })
    const asked = { tool: pay, input: { amount: 250 }, decision, on: recordEvents(), runtime: undefined, principal }
    const told = await through({ ...asked, onAsked: () => void (permissions = ['mail:send']) }).catch(String)
    expect(told).toMatch(/money:pay|insufficient_scope|403/)
    expect(paid).toEqual([])
  })

  test.each(TABLE)(
    '$door, $form, $what: the call goes on under a narrower permission that is enough [T8]',
    async ({ through, form, decision }) => {
      const { paid, pay } = desk(form)
      let permissions = ['money:*']
      const principal = (): Principal => ({ id: 'ada', permissions })
      const asked = { tool: pay, input: { amount: 250 }, decision, on: recordEvents(), runtime: undefined, principal }
      await through({ ...asked, onAsked: () => void (permissions = ['money:pay']) })
      expect(paid).toEqual([decision.action === 'edit' ? 40 : 250])
    },
  )

  // Where the words of a door have no edit, the person edits in the inbox, and is not the caller.
  const atDoor = TABLE.filter(({ door, what }) => what === 'approve' || !['AI SDK', 'OpenAI Agents'].includes(door))
  test.each(atDoor)(
    '$door, $form, $what, as a durable run: it decides nothing, others may [T8] [T15]',
    async ({ through, form, decision }) => {
      const { paid, pay } = desk(form)
      const runtime = createRuntime({ tools: [pay], database: memoryRuns() })
      onTestFinished(() => runtime.close())
      let permissions = ['money:*']
      const principal = (): Principal => ({ id: 'ada', permissions })
      const asked = { tool: pay, input: { amount: 250 }, decision, on: recordEvents(), runtime, principal }
      const told = await through({ ...asked, onAsked: () => void (permissions = ['mail:send']) }).catch(String)
      expect(told).toMatch(/money:pay|insufficient_scope|403/)
      const [item, ...more] = await runtime.inbox.list()
      expect(more).toEqual([])
      expect(paid).toEqual([])
      await runtime.inbox.approve(item?.request.id ?? '')
      await (await runtime.run(item?.run ?? '')).result()
      expect(paid).toEqual([250])
    },
  )
})

import assert from 'node:assert/strict'
import { z } from 'zod'
import { autoReview, compound, createInbox, gate, type ReviewRequest, tool } from '../../src/index.ts'
import type { Attack } from './attack.ts'

/** The look-alikes that fell, by shape. */
const FELL: Readonly<Record<string, readonly string[]>> = {
  'a list of texts': ['rm ••••••', '••••••', '••••••••••••'],
  'a list of texts, one behind': ['rm ••••••', 'rm ••••••(4)', '••••••', '••••••••••••'],
  'a list of objects': ['••••••', '••••••••••••'],
  'a list in a list': ['rm ••••••', '••••••', '••••••••••••'],
}

/** Texts of a model that look like masks. */
const LITERALS = ['••••••', '••••••(4)', 'rm ••••••(4)', 'rm ••••••', '••••••••••••', 'a ••••••(2) b']

/** A bad item first, the look-alike later; a person takes the bad one out. */
const SHAPES: Readonly<Record<string, (literal: string) => { readonly before: object; readonly after: object }>> = {
  'a list of texts': (literal) => ({ before: { list: ['rm -rf /', literal] }, after: { list: [literal] } }),
  'a list of texts, one behind': (literal) => ({ before: { list: ['rm /etc', literal, 'ls'] }, after: { list: [literal, 'ls'] } }),
  'a list of objects': (literal) => ({
    before: {
      list: [
        { to: 'mallory', n: 9 },
        { to: literal, n: 9 },
      ],
    },
    after: { list: [{ to: literal, n: 9 }] },
  }),
  'a list in a list': (literal) => ({ before: { list: [['rm -rf /'], [literal]] }, after: { list: [[literal]] } }),
  'names of a map': (literal) => ({ before: { map: { mallory: 'x', [literal]: 'y' } }, after: { map: { [literal]: 'y' } } }),
  'values of a map': (literal) => ({ before: { map: { a: 'rm -rf /', b: literal } }, after: { map: { b: literal } } }),
}

const WAYS = ['input', 'patch'] as const

const inputSchema = z.object({ list: z.array(z.any()).optional(), map: z.record(z.string(), z.any()).optional() })

const LOOK_ALIKES: readonly Attack[] = LITERALS.flatMap((literal) =>
  Object.entries(SHAPES).flatMap(([shape, make]) =>
    WAYS.map((way): Attack => ({
      name: `${shape}: an item is taken out before ${literal}, by ${way}`,
      before: FELL[shape]?.includes(literal) === true ? 'fell' : 'held',
      attempt: async () => {
        const { before, after } = make(literal)
        let ran: unknown
        const run = tool({ name: 'run', description: 'Runs.', inputSchema, requireApproval: true, execute: (given) => void (ran = given) })
        const change = way === 'input' ? { input: after } : { patch: removedBy(before, after) }
        await run.call(before, { review: autoReview({ action: 'edit', ...change }) })
        assert.deepEqual(ran, after)
      },
    })),
  ),
)

/** The merge patch that makes the one of the other. */
function removedBy(before: object, after: object): object {
  if ('list' in after) return after
  const { map } = before as { readonly map: object }
  const { map: left } = after as { readonly map: object }
  return { map: Object.fromEntries(Object.keys(map).map((name) => [name, Object.hasOwn(left, name) ? (left as never)[name] : null])) }
}

const SECRET = 'hunter2-secretxx'

interface Asked {
  readonly given: object
  /** What the first of two people makes of the view. */
  readonly edit: (view: never) => object
}

/** The first edits what they were shown, the second approves it: that runs. Names and texts with a secret of the provider are masked in it. */
const FOUR_EYES: Readonly<Record<string, Asked>> = {
  'a name of the same length': {
    given: { map: { 'to mallory.example.': 'all', [`to ${SECRET}`]: 'some' } },
    edit: () => ({ input: { map: { 'to ••••••(16)': 'some' } } }),
  },
  'a name is removed by a patch': {
    given: { map: { 'to mallory.example.': 'all', [`to ${SECRET}`]: 'some' } },
    edit: () => ({ patch: { map: { 'to mallory.example.': null } } }),
  },
  'a masked name is removed by a patch': {
    given: { map: { 'to mallory.example.': 'all', [`to ${SECRET}`]: 'some' } },
    edit: () => ({ patch: { map: { 'to ••••••(16)': null } } }),
  },
  'an item of the same length': {
    given: { list: ['to mallory.example.', `to ${SECRET}`] },
    edit: () => ({ input: { list: ['to ••••••(16)'] } }),
  },
  'two items that look the same, one taken out': {
    given: { list: [`to ${SECRET}`, `to ${SECRET}`, 'x'] },
    edit: () => ({ input: { list: ['to ••••••(16)', 'x'] } }),
  },
  'items change places': {
    given: { list: ['ls', `rm ${SECRET}`] },
    edit: () => ({ input: { list: ['rm ••••••(16)', 'ls'] } }),
  },
  'a mask of the reviewer where none was': {
    given: { list: ['ls', `rm ${SECRET}`] },
    edit: () => ({ input: { list: ['ls ••••••(16)', 'rm ••••••(16)'] } }),
  },
  'a model that writes the mask of a secret': {
    given: { list: ['rm ••••••(16)', `rm ${SECRET}`] },
    edit: () => ({ input: { list: ['rm ••••••(16)'] } }),
  },
}

const VOTED: readonly Attack[] = Object.entries(FOUR_EYES).map(([name, asked]): Attack => ({
  name: `four eyes: ${name}`,
  before: ['a name of the same length', 'a masked name is removed by a patch'].includes(name) ? 'fell' : 'held',
  attempt: async () => {
    const { approved, ran } = await voted(asked)
    // A refused edit runs nothing; otherwise the view of what ran is what the second person approved.
    if (ran !== undefined) assert.equal(JSON.stringify(ran).replaceAll(SECRET, '••••••(16)'), JSON.stringify(approved))
  },
}))

async function voted({ given, edit }: Asked): Promise<{ readonly approved: unknown; readonly ran: unknown }> {
  let ran: unknown
  const inner = tool({ name: 'post', description: 'Posts.', inputSchema, execute: (got) => void (ran = got) })
  const outer = compound({
    name: 'outer',
    description: 'Reads a secret first.',
    inputSchema,
    parts: { post: gate(inner, { approvals: { count: 2 } }) },
    run: async (got, context, { post }) => {
      await context.secret('HOST')
      return context.call('post', post, got)
    },
  })
  const inbox = createInbox()
  const asked = new Promise<ReviewRequest>((resolve) => inbox.on('requested', ({ request }) => resolve(request)))
  const ended = outer.call(given, {
    review: inbox.handler,
    secrets: { get: () => SECRET },
    principal: { id: 'requester', permissions: [] },
  })
  const { id, input } = await asked
  await inbox.edit(id, edit(input as never) as never, { id: 'ann', permissions: [] })
  const approved = (await inbox.get(id))?.ballot?.input
  await inbox.approve(id, { id: 'bob', permissions: [] }, { edition: 1 })
  await ended
  return { approved, ran }
}

/** An edit means what the person sees: nothing that was taken out runs, and nothing runs that the last of several was not shown. */
export const EDITED_VIEWS_ATTACKS: readonly Attack[] = [...LOOK_ALIKES, ...VOTED]

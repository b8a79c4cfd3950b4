import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type AgentTool, type ConfigurationError, createRuntime, fallback, gate, into, map, parallel, pipe, retry, tool } from 'toolwright'
import { memoryRuns } from 'toolwright/testing'
import { z } from 'zod'
import type { Attack } from './attack.ts'

let count = 0

/** Schemas that make another input each time they are asked. */
const SCHEMAS: Readonly<Record<string, () => z.ZodType>> = {
  'a new id': () => z.object({ to: z.string(), id: z.string().default(() => randomUUID()) }),
  'a number that rises': () => z.object({ to: z.string(), id: z.number().default(() => ++count) }),
  'a time as a text': () => z.object({ to: z.string(), id: z.string().default(() => new Date(++count).toISOString()) }),
  'a time': () => z.object({ to: z.string(), id: z.unknown().default(() => new Date(++count)) }),
  'ids at two places': () =>
    z.object({
      to: z.string(),
      id: z.uuid().default(() => randomUUID()),
      more: z.object({ id: z.string() }).default(() => ({ id: randomUUID() })),
    }),
  'an id in each item': () =>
    z.object({
      to: z.string(),
      id: z.array(z.object({ no: z.number().default(() => ++count) })).default(() => [{ no: ++count }, { no: ++count }]),
    }),
  'an id beside a coerced number': () =>
    z.object({ to: z.string(), amount: z.coerce.number().default(5), id: z.string().default(() => randomUUID()) }),
  'a secret that is new': () =>
    z.object({
      to: z.string(),
      id: z
        .string()
        .default(() => randomUUID())
        .meta({ sensitive: true }),
    }),
}

type Schema = z.ZodType
type Form = (schema: Schema, ran: unknown[], asked?: (input: unknown) => boolean) => AgentTool<unknown>

function pay(inputSchema: Schema, ran: unknown[], more: object = {}): AgentTool<unknown> {
  const options = { name: 'pay', description: 'Pays.', inputSchema, ...more }
  return tool({ ...options, execute: (given: unknown) => `${ran.push(structuredClone(given))} paid` }) as AgentTool<unknown>
}

function note(): AgentTool<unknown> {
  return tool({ name: 'note', description: 'Notes.', inputSchema: z.looseObject({}), execute: () => 'noted' }) as AgentTool<unknown>
}

const FORMS: Readonly<Record<string, Form>> = {
  'a gate': (schema, ran) => gate(pay(schema, ran)),
  requireApproval: (schema, ran) => pay(schema, ran, { requireApproval: true }),
  'a gate with a predicate': (schema, ran) => gate(pay(schema, ran), { approval: ({ id }: { id?: unknown }) => id !== undefined } as never),
  'a gate around a layer': (schema, ran) => gate(retry(pay(schema, ran))),
  'a layer around a gate': (schema, ran) => retry(gate(pay(schema, ran))),
  'a gate around a pipe': (schema, ran) =>
    gate(
      pipe(
        pay(schema, ran),
        into(() => ({}), note()),
      ) as never,
    ),
  'a gate around several parts': (schema, ran) =>
    gate(parallel({ pay: pay(schema, ran), note: note() } as never, { name: 'both' }) as never),
  'a gate around levels': (schema, ran) =>
    gate(fallback({ name: 'levels', description: 'Either.' }, [pay(schema, ran), note()] as never) as never),
}

/** How often the process ends before the approval and after it. */
const CRASHES = ['before the approval', 'twice before the approval', 'after the approval'] as const

interface Told {
  readonly shown: readonly unknown[]
  readonly ran: readonly unknown[]
  readonly code: string | undefined
}

interface Playing {
  readonly ran: unknown[]
  readonly given: unknown
  readonly crashes: (typeof CRASHES)[number]
  /** The program that goes on, where it is another one. */
  readonly after?: () => AgentTool<unknown>
}

async function approved(make: () => AgentTool<unknown>, { ran, given, crashes, after = make }: Playing): Promise<Told> {
  const runs = memoryRuns()
  const first = make()
  const { id } = await createRuntime({ tools: [first], database: runs }).start(first, given)
  await runs.idle()
  if (crashes !== 'after the approval') runs.crash()
  if (crashes === 'twice before the approval') {
    createRuntime({ tools: [make()], database: runs })
    await runs.idle()
    runs.crash()
  }
  const runtime = createRuntime({ tools: [after()], database: runs })
  const { inbox } = await runtime.runs()
  const [item] = await inbox.list()
  await inbox.approve(item?.request.id ?? '')
  await runs.idle()
  const code = await (await runtime.run(id)).result().then(
    (result) => (result.ok ? undefined : result.error.code),
    (error: ConfigurationError) => error.code,
  )
  await runtime.close()
  const { request } = item ?? {}
  const parts = (request?.parts ?? []).filter(({ tool: name }) => name === 'pay').map(({ input }) => input)
  return { shown: parts.length > 0 ? parts : request === undefined ? [] : [request.input], ran, code }
}

/** What a person sees of an input: dates as texts, secrets as masks. */
function seen(input: unknown, isSecret: boolean): unknown {
  const { id, ...rest } = input as { readonly id: unknown }
  return { ...rest, id: isSecret ? '••••••' : id instanceof Date ? id.toISOString() : id }
}

function keepsWhatWasShown(form: string, schema: string, crashes: (typeof CRASHES)[number]): Attack {
  return {
    name: `${form}: ${schema} is made again, and the process ends ${crashes}`,
    before: 'fell',
    attempt: async () => {
      const ran: unknown[] = []
      const made = SCHEMAS[schema]?.() ?? z.unknown()
      const told = await approved(() => (FORMS[form] as Form)(made, ran), { ran, given: { to: 'bob' }, crashes })
      assert.equal(told.code, undefined)
      assert.equal(told.ran.length, 1)
      assert.deepEqual(
        told.ran.map((each) => seen(each, schema.includes('secret'))),
        told.shown,
      )
    },
  }
}

/** Items of a list, of which each gets an id of its own. */
function keepsItems(crashes: (typeof CRASHES)[number]): Attack {
  return {
    name: `a gate around a map: ids are made again, and the process ends ${crashes}`,
    before: 'fell',
    attempt: async () => {
      const ran: unknown[] = []
      const make = (): AgentTool<unknown> => gate(map(pay(SCHEMAS['a new id']?.() ?? z.unknown(), ran), { name: 'all' }) as never)
      const { shown, code } = await approved(make, { ran, given: [{ to: 'bob' }, { to: 'eve' }], crashes })
      assert.equal(code, undefined)
      assert.deepEqual(shown, [ran])
    },
  }
}

const NEWER: Readonly<Record<string, z.ZodType>> = {
  'adds a field': z.object({ to: z.string(), id: z.string(), cc: z.string().default('mallory') }),
  'changes it': z.object({ to: z.string(), id: z.string().transform((id) => `${id}!`) }),
  'cuts it': z.object({ to: z.string().transform((to) => to.slice(1)), id: z.string() }),
  'does not take it': z.object({ to: z.number(), id: z.string() }),
}

function notForAnother(form: string, change: string): Attack {
  return {
    name: `${form}: a new id was approved, and a newer schema ${change}`,
    before: 'held',
    attempt: async () => {
      const ran: unknown[] = []
      const schema = SCHEMAS['a new id']?.() ?? z.unknown()
      const make = FORMS[form] as Form
      const after = (): AgentTool<unknown> => make(NEWER[change] ?? z.unknown(), ran)
      const told = await approved(() => make(schema, ran), { ran, given: { to: 'bob' }, crashes: 'before the approval', after })
      assert.deepEqual(ran, [])
      assert.ok(told.code === 'replay_diverged' || told.code === 'invalid_input', told.code)
    },
  }
}

/** A person changes one field, and the others stay as they were shown. */
function keepsTheRestOfAnEdit(form: string): Attack {
  return {
    name: `${form}: a new id is made again after an edit of another field`,
    before: 'fell',
    attempt: async () => {
      const ran: unknown[] = []
      const schema = SCHEMAS['a new id']?.() ?? z.unknown()
      const runs = memoryRuns()
      const first = (FORMS[form] as Form)(schema, ran)
      await createRuntime({ tools: [first], database: runs }).start(first, { to: 'bob' })
      await runs.idle()
      runs.crash()
      const runtime = createRuntime({ tools: [(FORMS[form] as Form)(schema, ran)], database: runs })
      const { inbox } = await runtime.runs()
      const [item] = await inbox.list()
      await inbox.edit(item?.request.id ?? '', { patch: { to: 'eve' } })
      await runs.idle()
      // An id that is made for a part anew is shown again.
      const [again] = await inbox.list()
      if (again !== undefined) await inbox.approve(again.request.id)
      await runs.idle()
      await runtime.close()
      const { request } = again ?? item ?? {}
      const shown = request?.parts?.find(({ tool: name }) => name === 'pay')?.input ?? request?.input
      assert.deepEqual(ran, [{ ...(shown as object), to: 'eve' }])
    },
  }
}

function hidesWhatItKeeps(form: string): Attack {
  return {
    name: `${form}: the record shows a secret that was made anew`,
    before: 'fell',
    attempt: async () => {
      const ran: unknown[] = []
      const runs = memoryRuns()
      const first = (FORMS[form] as Form)(SCHEMAS['a secret that is new']?.() ?? z.unknown(), ran)
      const runtime = createRuntime({ tools: [first], database: runs })
      const { id } = await runtime.start(first, { to: 'bob' })
      await runs.idle()
      const all = await runtime.runs()
      const waiting = JSON.stringify([await all.show(id), await all.export(id)])
      const [item] = await all.inbox.list()
      await all.inbox.approve(item?.request.id ?? '')
      await runs.idle()
      const ended = JSON.stringify([await all.show(id), await all.export(id), await all.list()])
      await runtime.close()
      const secret = String((ran[0] as { readonly id: unknown }).id)
      assert.ok(secret.length > 20)
      assert.ok(!waiting.includes(secret) && !ended.includes(secret))
    },
  }
}

/** Inputs that the schemas make anew, in durable runs that wait for a person. */
export const MADE_ANEW_ATTACKS: readonly Attack[] = [
  ...Object.keys(FORMS).flatMap((form) =>
    Object.keys(SCHEMAS).flatMap((schema) => CRASHES.map((crashes) => keepsWhatWasShown(form, schema, crashes))),
  ),
  ...CRASHES.map(keepsItems),
  ...Object.keys(FORMS).flatMap((form) => [keepsTheRestOfAnEdit(form), hidesWhatItKeeps(form)]),
  ...['a gate', 'requireApproval', 'a gate around several parts'].flatMap((form) =>
    Object.keys(NEWER).map((change) => notForAnother(form, change)),
  ),
]

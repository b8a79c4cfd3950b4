import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../../combinators/gate/gate.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { recordEvents } from '../../testing/record-events.ts'
import type { AgentTool } from '../agent-tool.ts'
import { compound } from '../compound.ts'
import { silentLogger } from '../ports/logger.ts'
import { tool } from '../tool.ts'
import { annotate, Tool } from './annotate.ts'
import { resolve, resolveAgain } from './resolve.ts'
import { NameMemory } from './settle-names.ts'

const add = tool({
  name: 'add',
  description: 'Adds.',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  effect: 'read',
  execute: ({ a, b }) => a + b,
})
const echo = tool({ name: 'echo', description: 'Says it again.', effect: 'read', execute: (input) => input })

class Desk {
  readonly #greeting = 'Hello'
  greet(name: string): string {
    return `${this.#greeting}, ${name}!`
  }
  find({ id }: { id: number }): string {
    return `order ${id}`
  }
  secretly(): string {
    return 'not a tool'
  }
}

describe('a list of tools', () => {
  test('may be empty [T11]', async () => {
    const none = await resolve([])
    expect(none.specifications).toEqual([])
    expect(await none.call('add', '{}')).toMatchObject({
      ok: false,
      error: { code: 'unknown_tool', class: 'not_found', hint: 'There are no tools.' },
    })
  })

  test('may mix tools, annotated objects, providers and peers’ tools [T10]', async () => {
    const desk = annotate(new Desk(), {
      greet: 'Greets a person by name.',
      find: { description: 'Finds an order.', name: 'find_order', inputSchema: z.object({ id: z.number() }), effect: 'read' },
    })
    const peer = { foreign: true, title: 'peer_echo' }
    const peers = [
      {
        name: 'Peer',
        recognises: (value: unknown) => typeof value === 'object' && value !== null && 'foreign' in value,
        adopt: (value: unknown): AgentTool[] => [
          tool({ name: (value as typeof peer).title, description: 'From elsewhere.', execute: (input) => `peer ${input}` }),
        ],
      },
    ]
    const tools = await resolve([add, desk, { tools: async () => [echo] }, peer], { peers })
    expect(tools.tools.map(({ name }) => name)).toEqual(['add', 'greet', 'find_order', 'echo', 'peer_echo'])
    expect((await tools.call('greet', '{"input":"Ada"}')).text).toBe('Hello, Ada!')
    expect((await tools.call('find_order', '{"id":7}')).text).toBe('order 7')
    expect((await tools.call('find_order', '{"id":"7"}')).text).toMatch(/^Error: .*'id'/)
    expect((await tools.call('peer_echo', '{"input":"x"}')).text).toBe('peer x')
    expect(tools.get('find_order')).toMatchObject({ effect: 'read' })
    expect(tools.get('secretly')).toBeUndefined()
  })

  test('asks a provider anew every time [T10]', async () => {
    let runs = 0
    const provider = { tools: () => [tool({ name: `run_${++runs}`, description: 'd', execute: () => runs })] }
    expect((await resolve([provider])).specifications.map(({ name }) => name)).toEqual(['run_1'])
    expect((await resolve([provider])).specifications.map(({ name }) => name)).toEqual(['run_2'])
  })

  test.each([
    ['two tools', [echo, tool({ name: 'echo', version: '2.0.0', description: 'd', execute: () => 1 })]],
    ['a tool and its gated form', [echo, gate(echo)]],
    ['the same tool twice', [echo, echo]],
    ['a tool and a method', [echo, annotate(new Desk(), { secretly: { description: 'd', name: 'echo' } })]],
    ['a tool and a provided one', [echo, { tools: () => [echo] }]],
  ])('with one name for %s is refused [T11]', async (_what, list) => {
    await expect(resolve(list)).rejects.toMatchObject({ code: 'duplicate_name', message: "Duplicate tool name: 'echo'" })
  })

  test('has one tool for each identity over the whole tree: the same object may stand in many places, another may not [T1] [T11]', async () => {
    const wrap = (name: string, part: AgentTool<string, string>) =>
      compound({ name, description: 'd', parts: { part }, run: (input, context) => context.call('part', part, input) })
    const other = tool({ name: 'echo', description: 'Another.', effect: 'read', execute: (input) => `other ${input}` })
    await expect(resolve([wrap('one', echo), wrap('two', gate(echo)), echo])).resolves.toBeDefined()
    await expect(resolve([wrap('one', echo), wrap('two', other)])).rejects.toMatchObject({
      code: 'duplicate_name',
      message: expect.stringContaining('echo@0.0.0'),
    })
    const newer = tool({ name: 'echo', version: '2.0.0', description: 'Newer.', effect: 'read', execute: (input) => input })
    await expect(resolve([wrap('one', echo), wrap('two', newer)])).resolves.toBeDefined()
  })

  describe('with a provider that tells of changes', () => {
    const named = (name: string, said = name): AgentTool =>
      tool({ name, description: 'd', source: 'mcp:up', effect: 'read', execute: () => said })
    const changing = (...tools: AgentTool[]): { tools: () => AgentTool[]; onChange: () => () => void; now: AgentTool[] } => {
      const provider = { now: tools, tools: () => provider.now, onChange: () => () => {} }
      return provider
    }
    const names = ({ tools }: { tools: readonly AgentTool[] }): readonly string[] => tools.map(({ name }) => name)

    test.each([
      ['after', (own: AgentTool, by: unknown) => [own, by]],
      ['before', (own: AgentTool, by: unknown) => [by, own]],
      ['inside a plain provider before', (own: AgentTool, by: unknown) => [{ tools: () => [by] }, own]],
    ])('that stands %s a tool of the same name leaves its own out, and says so [T11]', async (_where, listOf) => {
      const resolution = await resolve(listOf(echo as AgentTool, changing(named('echo', 'stranger'), named('other'))))
      expect(names(resolution).toSorted()).toEqual(['echo', 'other'])
      expect((await resolution.call('echo', { input: 'mine' })).text).toBe('mine')
      expect(resolution.leftOut).toMatchObject([
        {
          tool: { name: 'echo', source: 'mcp:up' },
          message: expect.stringContaining("'echo' of mcp:up is not offered"),
          hint: expect.stringContaining('prefix'),
        },
      ])
      expect(Object.isFrozen(resolution.leftOut) && resolution.leftOut.every((each) => Object.isFrozen(each))).toBe(true)
    })

    test('keeps a name that another one takes later, wherever that one stands, until it gives it up [T11]', async () => {
      const [first, second] = [changing(named('a')), changing(named('b', 'second'))]
      const memory = new NameMemory()
      const said = async (): Promise<string> => (await (await resolveAgain([first, second], {}, memory)).call('b', '{}')).text
      expect(await said()).toBe('second')
      first.now = [named('a'), named('b', 'first')]
      expect(await said()).toBe('second')
      second.now = []
      expect(await said()).toBe('first')
      second.now = [named('b', 'second')]
      expect(await said()).toBe('first')
    })

    test('leaves out what it gives twice, and whose identity is that of a part of another tool [T1] [T11]', async () => {
      const twice = await resolve([changing(named('a', 'one'), named('a', 'two'))])
      expect((await twice.call('a', '{}')).text).toBe('one')
      const part = named('deep')
      const whole = compound({
        name: 'whole',
        description: 'd',
        parts: { part },
        run: (_input, context) => context.call('part', part, {} as never),
      })
      const resolution = await resolve([changing(part), whole])
      expect(names(resolution)).toEqual(['deep', 'whole'])
      const later = await resolve([changing(named('deep', 'changed'), named('fine')), whole])
      expect(names(later)).toEqual(['fine', 'whole'])
      expect(later.leftOut).toMatchObject([{ message: expect.stringContaining('an earlier form of it is a part of a tool of the list') }])
    })

    test('is told of once by a runtime, and again after it was mended', async () => {
      const lines: string[] = []
      const provider = changing(named('echo'))
      const runtime = createRuntime({ tools: [echo, provider], log: { ...silentLogger, warn: (_fields, line) => void lines.push(line) } })
      for (let time = 0; time < 3; time++) expect((await runtime.callByName('echo', { input: 'x' } as never)).text).toBe('x')
      expect(lines).toEqual([expect.stringContaining('is not offered')])
      provider.now = []
      await runtime.resolve()
      provider.now = [named('echo')]
      await runtime.resolve()
      expect(lines).toHaveLength(2)
    })
  })

  test.each([
    ['a plain object', { name: 'fake' }, 'Object'],
    ['an instance without annotations', new Desk(), 'Desk'],
    ['a function', () => 1, 'function'],
    ['null', null, 'null'],
    ['text', 'echo', 'string'],
    ['an object without a prototype', Object.create(null), 'Object'],
  ])('with %s in it names the culprit [T11]', async (_what, item, type) => {
    await expect(resolve([echo, item])).rejects.toThrow(
      `Tool object of type '${type}' is neither an AgentTool nor has @Tool-annotated methods`,
    )
  })

  test('that is no list is refused [T11]', async () => {
    await expect(resolve('echo' as never)).rejects.toMatchObject({ code: 'not_a_tool' })
  })
})

describe('a call by name', () => {
  test.each([
    ['ecko', "'echo'"],
    ['ECHO', "'echo'"],
    ['addd', "'add'"],
    ['echo_tool', "'echo'"],
    ['zzzzzzzzzz', 'The tools are: add, echo.'],
    ['', 'The tools are: add, echo.'],
  ])('of the unknown tool %j fails with what was probably meant [T11]', async (name, said) => {
    const tools = await resolve([add, echo])
    const recorder = recordEvents()
    const result = await tools.call(name, '{}', { on: recorder })
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'unknown_tool', class: 'not_found', outcome: 'not_started', message: expect.stringContaining(said) },
    })
    expect(recorder.events.length).toBe(2)
  })

  test.each([
    ['calculate', ['a', 'b', 'ca'], 'The tools are: a, b, ca.'],
    ['x', ['a', 'b', 'add'], 'The tools are: a, b, add.'],
    ['A', ['a', 'b'], "Did you mean 'a'?"],
    ['ab', ['ac', 'xy'], "Did you mean 'ac'?"],
  ])('of %j among %j proposes no name that is like it by chance [T11]', async (name, names, said) => {
    const tools = await resolve(names.map((each) => tool({ name: each, description: 'd', effect: 'read', execute: (input) => input })))
    expect((await tools.call(name, '{}')).text).toBe(`Error: There is no tool '${name}'. ${said}`)
  })

  test('goes through the same door: a gate holds [T14]', async () => {
    const tools = await resolve([gate(echo)])
    await expect(tools.call('echo', '{"input":"x"}')).rejects.toMatchObject({ code: 'missing_review_handler' })
  })
})

describe('annotate', () => {
  test('refuses a name that is no method', () => {
    expect(() => annotate(new Desk(), { nothing: 'Nothing.' } as never)).toThrow(expect.objectContaining({ code: 'invalid_definition' }))
  })

  test.each([
    ['frozen', Object.freeze(new Desk())],
    ['sealed', Object.seal(new Desk())],
  ])('says what to do about an object that is %s [T10]', (_what, desk) => {
    expect(() => annotate(desk, { secretly: 'Does it.' } as never)).toThrow(
      expect.objectContaining({
        code: 'invalid_definition',
        message: expect.stringMatching(/object of type 'Desk', which is frozen .* Annotate before freezing/),
      }),
    )
  })

  test('refuses what is no object', () => {
    expect(() => annotate(undefined as never, {} as never)).toThrow(expect.objectContaining({ code: 'invalid_definition' }))
  })

  test('on a prototype marks every instance; a method that overrides is a tool only if marked itself [T10]', async () => {
    class Base {
      hello(): string {
        return 'base'
      }
    }
    class Derived extends Base {
      override hello(): string {
        return 'derived'
      }
    }
    annotate(Base.prototype, { hello: 'Says hello.' })
    expect((await (await resolve([new Base()])).call('hello', '{}')).text).toBe('base')
    await expect(resolve([new Derived()])).rejects.toThrow("type 'Derived'")
  })

  test('the decorator writes the same annotation', async () => {
    class Plain {
      hello(): string {
        return 'hi'
      }
    }
    Tool('Says hello.')(Plain.prototype.hello, {} as ClassMethodDecoratorContext)
    expect((await resolve([new Plain()])).specifications).toMatchObject([{ name: 'hello', description: 'Says hello.' }])
  })
})

describe('@Tool, compiled', () => {
  const root = join(dirname(fileURLToPath(import.meta.url)), '../../..')
  let folder = ''
  let emitted: { MathTools: new (offset: number) => object; MoreMathTools: new (offset: number) => object }

  beforeAll(async () => {
    mkdirSync(join(root, '.cache'), { recursive: true })
    folder = mkdtempSync(join(root, '.cache', 'decorators-'))
    const compilerOptions = {
      target: 'es2022',
      module: 'nodenext',
      rootDir: '../..',
      outDir: '.',
      noCheck: true,
      noResolve: true,
      types: [],
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['../../test/fixtures/decorators/math-tools.ts'] }),
    )
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { stdio: 'pipe' })
    emitted = (await import(
      /* @vite-ignore */ pathToFileURL(join(folder, 'test/fixtures/decorators/math-tools.js')).href
    )) as typeof emitted
  }, 60_000)

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('makes tools of the marked methods, with names, schemas, permissions and approval [T10]', async () => {
    const tools = await resolve([new emitted.MathTools(10)])
    expect(tools.tools.map(({ name }) => name)).toEqual(['addOffset', 'multiply', 'reset'])
    expect((await tools.call('addOffset', '{"input":"5"}')).text).toBe('15')
    const principal = { id: 'ada', permissions: ['math:use'] }
    expect((await tools.call('multiply', '{"a":6,"b":7}', { principal })).text).toBe('42')
    expect(await tools.call('multiply', '{"a":6,"b":7}')).toMatchObject({ error: { code: 'permission_denied' } })
    await expect(tools.call('reset', '{}')).rejects.toMatchObject({ code: 'missing_review_handler' })
  })

  test('goes by the method that a subclass puts in place [T10]', async () => {
    expect((await (await resolve([new emitted.MoreMathTools(10)])).call('addOffset', '{"input":"5"}')).text).toBe('-15')
  })
})

test('arguments that are missing are none, and arguments that were parsed already are taken as they are', async () => {
  const mirror = tool({ name: 'echo', description: 'd', effect: 'read', execute: (text) => `[${text}]` })
  const count = tool({
    name: 'count',
    description: 'd',
    effect: 'read',
    inputSchema: z.object({ of: z.string().default('none') }),
    execute: ({ of }) => of.length,
  })
  const { call } = await resolve([mirror, count])
  expect((await call('echo', undefined)).text).toBe('[]')
  expect((await call('echo', { input: 'a' })).text).toBe('[a]')
  expect(await call('count', undefined)).toMatchObject({ ok: true, value: 4 })
  expect(await call('count', { of: 'ab' })).toMatchObject({ ok: true, value: 2 })
  expect(await call('count', '{"of":"abc"}')).toMatchObject({ ok: true, value: 3 })
})

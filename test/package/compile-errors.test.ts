import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { UserProject } from './user-project.ts'

const CHANGED = [
  'What the compiler says about a pipeline that does not fit changed. It should name the step, and what to do.',
  'If the change is meant: npx vitest run test/package/compile-errors.test.ts --update.',
].join('\n')

const TOOLS = `import { fill, from, into, pipe, saga, tool, ToolPipeline } from 'toolwright'
import { z } from 'zod'
const find = tool({ name: 'find', description: 'd', inputSchema: z.object({ id: z.string() }), execute: () => ({ id: 'x', total: 3 }) })
const pay = tool({ name: 'pay', description: 'd', inputSchema: z.object({ to: z.string(), by: z.enum(['card', 'cash']) }), execute: () => 1 })
`

/** Each is wrong once. */
const MISTAKES: Readonly<Record<string, string>> = {
  'a pipe without an adapter': 'export const wrong = pipe(find, pay)',
  'an adapter that misspells a literal': "export const wrong = pipe(find, into(({ value }) => ({ to: value.id, by: 'crad' }), pay))",
  'an adapter that leaves out a field': 'export const wrong = pipe(find, into(({ value }) => ({ to: value.id }), pay))',
  'an adapter that reads what is not there': "export const wrong = pipe(find, into(({ value }) => ({ to: value.name, by: 'card' }), pay))",
  'a pipeline without an adapter': 'export const wrong = ToolPipeline.of(find, pay)',
  'a named pipeline without an adapter': "export const wrong = ToolPipeline.of('paid', 'Pays.', find, pay)",
  'a builder without an adapter': 'export const wrong = ToolPipeline.builder().step(find).step(pay).build()',
  'a mapping from a step that is not there': "export const wrong = pipe(find, fill({ to: from('fnd', 'id'), by: 'card' }, pay))",
  'a mapping from a field that is not there': "export const wrong = pipe(find, fill({ to: from('find', 'idd'), by: 'card' }, pay))",
  'a mapping from a field of another type': "export const wrong = pipe(find, fill({ to: from('find', 'total'), by: 'card' }, pay))",
  'a mapping that misspells a literal': "export const wrong = pipe(find, fill({ to: from.input('id'), by: 'crad' }, pay))",
  'a mapping that leaves out a field': "export const wrong = pipe(find, fill({ to: from('find', 'id') }, pay))",
  'a mapping of the builder from a step that is not there':
    "export const wrong = ToolPipeline.builder().step(find).mapping({ to: from('fnd', 'id') })",
  'an adapter that reads a step that is not there':
    "export const wrong = pipe(find, into(({ results }) => ({ to: results.fnd.value.id, by: 'card' }), pay))",
  'a mapping of a saga from a field of another type':
    "export const wrong = saga({ name: 's', description: 'd' }).step('a', find, { input: (g) => ({ id: g.input }) }).step('b', pay, { fill: { to: from('a', 'total'), by: 'card' } })",
  'an input of a saga that misspells a literal':
    "export const wrong = saga({ name: 's', description: 'd' }).step('b', pay, { input: (g) => ({ to: g.input, by: 'crad' }) })",
  'a builder with an adapter that does not fit':
    "export const wrong = ToolPipeline.builder().step(find).adapter(() => ({ to: 'x', by: 'crad' })).step(pay).build()",
}

let project: UserProject

beforeAll(async () => {
  project = await UserProject.create()
}, 60_000)
afterAll(() => rm(project.folder, { recursive: true, force: true }))

test('a step that does not fit is a compile error at that step, and says what to do [P2]', async () => {
  const mistakes = Object.entries(MISTAKES)
  for (const [index, [, line]] of mistakes.entries()) await project.write(`mistake-${index}.ts`, `${TOOLS}${line}\n`)
  const { stdout } = await project.compile({}, ['*.ts'])
  const told = mistakes.map(([what, line], index) => {
    const lines = stdout.split('\n')
    const from = lines.findIndex((each) => each.startsWith(`mistake-${index}.ts`))
    const to = lines.findIndex((each, at) => at > from && !each.startsWith(' '))
    const [first = '', ...rest] = lines.slice(from, to)
    const column = Number(/\(\d+,(\d+)\)/.exec(first)?.[1])
    return [what, line, `${' '.repeat(column - 1)}^`, first.replace(/^.*?: /, ''), ...rest, '', ''].join('\n')
  })
  expect(stdout.match(/^mistake-/gm)).toHaveLength(mistakes.length)
  await expect(told.join(''), CHANGED).toMatchFileSnapshot('compile-errors.txt')
}, 30_000)

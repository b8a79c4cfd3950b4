import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { UserProject } from './user-project.ts'

const CHANGED = [
  'What the compiler says about a pipeline that does not fit changed. It should name the step, and what to do.',
  'If the change is meant: npx vitest run test/package/compile-errors.test.ts --update.',
].join('\n')

const TOOLS = `import { branch, equals, fill, from, into, match, parallel, pipe, saga, tool, ToolPipeline, when } from 'toolwright'
import { z } from 'zod'
const find = tool({ name: 'find', description: 'd', inputSchema: z.object({ id: z.string() }), execute: () => ({ id: 'x', total: 3 }) })
const pay = tool({ name: 'pay', description: 'd', inputSchema: z.object({ to: z.string(), by: z.enum(['card', 'cash']) }), execute: () => 1 })
const desk = { name: 'desk', description: 'd', inputSchema: z.object({ kind: z.enum(['sale', 'gift']), to: z.string(), by: z.string(), at: z.date() }) }
const inquire = tool({ name: 'inquire', description: 'd', inputSchema: desk.inputSchema, outputSchema: desk.inputSchema, execute: (input) => input })
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
  'a step of a long record, of which one field does not fit': 'export const wrong = pipe(inquire, pay)',
  'a step of a saga that does not take its input': 'export const wrong = saga(desk).step("pay", pay)',
  'a branch of parallel that does not take the declared input': 'export const wrong = parallel({ inquire, pay }, { ...desk, join: "all" })',
  'equals with a tool that does not take the input': "export const wrong = branch(desk, [equals('kind', 'sale', pay)])",
  'equals with a field that is not there': "export const wrong = branch(desk, [equals('knd', 'sale', inquire)])",
  'equals with a value that the field cannot have': "export const wrong = branch(desk, [equals('kind', 'sail', inquire)])",
  'when with a tool that does not take the input': 'export const wrong = branch(desk, [when(() => true, pay)])',
  'when with an input that misspells a literal':
    "export const wrong = branch(desk, [when(() => true, pay, { input: ({ to }) => ({ to, by: 'crad' }) })])",
  'match with a tool that does not take the input': "export const wrong = branch(desk, [match('kind', { sale: pay, gift: inquire })])",
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

import { SourceMap } from 'node:module'
import { expect, test } from 'vitest'
import { rolldown } from 'rolldown'
import { compactCode } from '../../scripts/compact-code.ts'

const SOURCE = `
export const mask = '•••', quoted = 'say "no"', path = 'a\\\\b'
const raw = String.raw\`C:\\\\\${mask}\\n\`
export class Desk {
  static { this.kind = \`desk\` }
  open = 1
  close() { throw new Error(\`closed \${this.open}\`) }
}
export const texts = (number) => ({ raw, [\`n\${number}\`]: \`é…\`, two: \`first
second\` })
export function choose(word) {
  switch (word) {
    case 'a': { const found = /[•]/u.test(mask)
      return found }
    default:
      return import('node:path').then(({ sep }) => sep)
  }
}
`

async function compacted(): Promise<{ readonly code: string; readonly map: SourceMap }> {
  const virtual = { name: 'virtual', resolveId: (id: string) => (id === 'desk.js' ? id : undefined), load: () => SOURCE }
  const build = await rolldown({ input: 'desk.js', platform: 'node', external: /^node:/, plugins: [virtual, ...compactCode] })
  const { output } = await build.generate({ format: 'esm', sourcemap: true, minify: false })
  await build.close()
  const [{ code, map }] = output
  return { code, map: new SourceMap(map as unknown as ConstructorParameters<typeof SourceMap>[0]) }
}

test('compact code does the same, with the names of functions and a line for each statement', async () => {
  const { code } = await compacted()
  const lines = code.split('\n')
  expect(code.length).toBeLessThan(SOURCE.length)
  expect(lines.filter((line) => /^\s/.test(line))).toEqual([])
  expect(lines.some((line) => line.startsWith('throw Error(`closed ${this.open}`)'))).toBe(true)
  expect(code).toMatch(/import\("node:path"\)/)
  // A text beyond ASCII would make the engine keep two bytes for each character.
  expect(code).toMatch(/^[\0-\x7f]*$/)
  const made = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Record<string, never> & {
    readonly Desk: new () => { readonly close: () => void }
    readonly texts: (number: number) => unknown
    readonly choose: (word: string) => unknown
  }
  expect([made['mask'], made['quoted'], made['path'], made.Desk.name, made.choose.name]).toEqual([
    '•••',
    'say "no"',
    'a\\b',
    'Desk',
    'choose',
  ])
  expect(made.texts(1)).toEqual({ raw: String.raw`C:\\•••\n`, n1: 'é…', two: 'first\nsecond' })
  expect([made.choose('a'), await made.choose('b')]).toEqual([true, '/'])
  expect(() => new made.Desk().close()).toThrow('closed 1')
})

test('a place in compact code leads to its place in the source', async () => {
  const { code, map } = await compacted()
  const lines = code.split('\n')
  const line = lines.findIndex((each) => each.startsWith('throw '))
  const at = map.findEntry(line, 0) as { readonly originalLine: number }
  expect(SOURCE.split('\n')[at.originalLine]).toContain('throw new Error')
})

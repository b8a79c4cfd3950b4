import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type History, runProgram } from './history.ts'
import { programs } from './programs.ts'

const here = import.meta.dirname
const versions = readdirSync(here, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
const { version: current } = JSON.parse(readFileSync(join(here, '../../package.json'), 'utf8')) as { readonly version: string }

function namesOf(version: string): readonly string[] {
  return readdirSync(join(here, version)).map((file) => file.replace(/\.json$/, ''))
}

function programOf(name: string) {
  const program = programs[name]
  if (program === undefined) throw new Error(`The program '${name}' is no more, and its history is. Programs are only ever added.`)
  return program
}

/** A step that is taken up again under another key or another hash would be another step. */
function keysOf(entries: History['entries']): ReadonlySet<string> {
  return new Set(entries.flatMap((entry) => (entry.kind === 'call' ? [`${entry.path} ${entry.key} ${entry.inputHash}`] : [])))
}

describe.each(versions)('what version %s recorded', (version) => {
  const histories = namesOf(version).map((name): [string, History] => [
    name,
    JSON.parse(readFileSync(join(here, version, `${name}.json`), 'utf8')) as History,
  ])

  test.each(histories)('of %s comes to the same end, and runs nothing again', async (name, { entries, end }) => {
    const replayed = await runProgram(programOf(name), entries)
    expect(replayed.end).toEqual(end)
    expect(replayed.ran).toEqual([])
    // Nor is anything decided, asked or slept anew.
    expect(replayed.entries.slice(entries.length).map(({ path }) => path)).toEqual([])
  })

  test.each(histories)('of %s is done under the same keys today', async (name, { entries }) => {
    const today = await runProgram(programOf(name))
    expect(keysOf(today.entries)).toEqual(keysOf(entries))
  })

  test.each(histories.filter(([name]) => programs[name]?.isOfOneProcess !== true))(
    'of %s, broken off anywhere, goes on to the same end',
    async (name, { entries, end }) => {
      for (let length = 0; length <= entries.length; length++) {
        const replayed = await runProgram(programOf(name), entries.slice(0, length))
        expect({ length, end: replayed.end }).toEqual({ length, end })
      }
    },
  )
})

test('every program is recorded for this version: npm run record-history', () => {
  expect(namesOf(current).toSorted()).toEqual(Object.keys(programs).toSorted())
})

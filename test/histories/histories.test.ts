import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { leavesUnknown } from '../../src/testing/replay-from-every-prefix.ts'
import { EXAMPLES } from '../programs/table.ts'
import { type History, runExample } from './history.ts'

const here = import.meta.dirname
const versions = readdirSync(here, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
const { version: current } = JSON.parse(readFileSync(join(here, '../../package.json'), 'utf8')) as { readonly version: string }

function namesOf(version: string): readonly string[] {
  return readdirSync(join(here, version)).map((file) => file.replace(/\.json$/, ''))
}

function exampleOf(name: string) {
  const example = EXAMPLES[name]
  if (example === undefined) throw new Error(`The example '${name}' is no more, and its history is. Examples are only ever added.`)
  return example
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
    const replayed = await runExample(exampleOf(name), entries)
    expect(replayed.end).toEqual(end)
    expect(replayed.ran).toEqual([])
    // Nor is anything decided, asked or slept anew.
    expect(replayed.entries.slice(entries.length).map(({ path }) => path)).toEqual([])
  })

  test.each(histories)('of %s is done under the same keys today', async (name, { entries }) => {
    const today = await runExample(exampleOf(name))
    expect(keysOf(today.entries)).toEqual(keysOf(entries))
  })

  test.each(histories.filter(([name]) => EXAMPLES[name]?.isOfOneProcess !== true))(
    'of %s, broken off anywhere, goes on to the same end',
    async (name, { entries, end }) => {
      for (let length = 0; length <= entries.length; length++) {
        const past = entries.slice(0, length)
        if (leavesUnknown(past, entries)) continue
        const replayed = await runExample(exampleOf(name), past)
        expect({ length, end: replayed.end }).toEqual({ length, end })
      }
    },
  )
})

test('every example of the table is recorded for this version: npm run record-history', () => {
  expect(namesOf(current).toSorted()).toEqual(Object.keys(EXAMPLES).toSorted())
})

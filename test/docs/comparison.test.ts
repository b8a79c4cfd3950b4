import { expect, test } from 'vitest'
import { peerVersions } from '../../bench/install-peers.ts'
import { readComparison, refuted } from './comparison.ts'

const { cells, evidence } = readComparison()
const IDS = /\b[LAMDT]\d+\b/g

test('every cell of the comparison has a link or a piece of evidence', () => {
  expect(cells.length).toBeGreaterThan(80)
  const bare = cells.filter(({ text }) => !text.includes('](') && text.match(IDS) === null)
  expect(bare).toEqual([])
})

test('every piece of evidence is there once, belongs to the column where it is used, and is used', () => {
  const ids = evidence.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const used = cells.flatMap(({ text, column }) => Array.from(text.match(IDS) ?? [], (id) => ({ id, column })))
  expect(used.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  expect(used.filter(({ id, column }) => column[0] !== id[0])).toEqual([])
})

test('the heads of the columns name the versions that are installed', () => {
  const versions = peerVersions()
  const named = (...packages: string[]) => packages.map((name) => versions[name])
  const heads = [...new Set(cells.map(({ column }) => column))].slice(1).map((head) => head.match(/\d+\.\d+\.\d+/g))
  expect(heads).toEqual([named('@langchain/core', '@langchain/langgraph'), named('ai'), named('@mastra/core'), named('@dbos-inc/dbos-sdk')])
})

test('a cell says "not declared" or "none" exactly where its evidence is that words are missing', () => {
  const lacking = new Set(evidence.filter(({ has }) => !has).map(({ id }) => id))
  const wrong = cells.filter(({ text }) => {
    const [id] = text.match(IDS) ?? []
    return id !== undefined && /^(not declared|none)/.test(text) !== lacking.has(id)
  })
  expect(wrong).toEqual([])
})

test('Toolwright has none of what it says it lacks', () => {
  expect(evidence.filter((each) => each.package === 'toolwright').flatMap((each) => refuted(each) ?? [])).toEqual([])
})

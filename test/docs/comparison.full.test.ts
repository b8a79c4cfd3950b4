import { beforeAll, expect, test } from 'vitest'
import { installPeers } from '../../bench/install-peers.ts'
import { readComparison, refuted } from './comparison.ts'

beforeAll(async () => {
  const problem = await installPeers()
  if (problem !== undefined) throw new Error(problem)
}, 300_000)

test('the installed packages have and lack the words that the comparison says', () => {
  expect(readComparison().evidence.flatMap((each) => refuted(each) ?? [])).toEqual([])
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostileLine } from '../../../test/fixtures/mcp/hostile-messages.ts'
import { RawClient, type Revision } from '../../../test/fixtures/mcp/raw-client.ts'

const SEED = 20_260_728
const LINES = 2000
const BETWEEN_VALID_CALLS = 25

describe.each<Revision>(['2025-11-25', '2026-07-28'])('revision %s', (revision) => {
  test(`${LINES} hostile lines: nothing crashes or hangs, nothing strange is printed, and proper calls are answered [T10]`, async () => {
    const client = await RawClient.start(revision)
    const answered = async (text: string): Promise<void> => {
      expect((await client.call('shout', { input: text })).result).toMatchObject({ content: [{ type: 'text', text: text.toUpperCase() }] })
    }
    for (const [index, each] of fc.sample(hostileLine, { numRuns: LINES, seed: SEED }).entries()) {
      client.write(each)
      if (index % BETWEEN_VALID_CALLS === 0) await answered(`call ${index}`)
    }
    await answered('the last')
    expect(client.strays).toEqual([])
    expect(client.process.exitCode).toBeNull()
    await client.close()
    expect(await client.exited).toEqual([0, null])
  }, 60_000)

  test('a line of megabytes is read; one beyond 10 MB ends the connection, and the process with it', async () => {
    const client = await RawClient.start(revision)
    const long = 'x'.repeat(3_000_000)
    expect((await client.call('shout', { input: long })).result).toMatchObject({ content: [{ text: long.toUpperCase() }] })
    client.write(`"${'x'.repeat(11_000_000)}"`)
    expect(await client.exited).toEqual([0, null])
    expect(client.strays).toEqual([])
  })
})

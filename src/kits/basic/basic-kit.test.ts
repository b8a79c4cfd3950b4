import { expect, test } from 'vitest'
import { resolve } from '../../tool/resolve/resolve.ts'
import { basicKit } from './basic-kit.ts'

test('the kit holds one of each basic tool, and none without an effect of its own choosing [T17]', async () => {
  const { tools } = await resolve(basicKit({ root: import.meta.dirname }))
  const effects = Object.fromEntries(tools.map(({ name, effect }) => [name, effect]))
  expect(effects).toEqual({
    calculator: 'read',
    json_parser: 'read',
    file_read: 'read',
    file_write: expect.stringMatching(/write|irreversible/),
    datetime: 'read',
    human_input: 'read',
  })
})

test('what the kit is told reaches its tools: the folder, the zone and the approval [T17]', async () => {
  const kit = await resolve(basicKit({ root: import.meta.dirname, requireApproval: true, zone: 'Asia/Tokyo' }))
  expect((await kit.call('file_read', '{"path":"basic-kit.ts","toLine":1}')).text).toContain('import type { AgentTool }')
  expect((await kit.call('datetime', '{"input":"now"}')).text).toContain('Asia/Tokyo')
  await expect(kit.call('file_write', '{"path":"x.txt","content":"x"}')).rejects.toMatchObject({ code: 'missing_review_handler' })
})

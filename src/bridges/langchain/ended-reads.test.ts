import { expect, test } from 'vitest'
import { chat } from '../../../test/fixtures/langchain/graph-chat.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { tool } from '../../tool/tool.ts'

const files = ['a', 'b', 'c']

/** A model reads private files in one step. */
function reading(execute: (file: string) => string) {
  const peek = tool({ name: 'peek', description: 'Reads a private file.', effect: 'read', execute: (file) => execute(String(file)) })
  const turn = files.map((file) => ({ id: file, name: 'peek', args: { input: file } }))
  return { peek, turn }
}

test.each<[string, (file: string) => string]>([
  ['go well', (file) => `content of ${file}`],
  ['fail', (file) => (file === 'a' ? 'content of a' : raise(file))],
])('of gated reads of one step that %s, each is asked about once and made once [T14] [T15]', async (_how, execute) => {
  const log: string[] = []
  const { peek, turn } = reading((file) => (log.push(file), execute(file)))
  const { say, resume } = await chat([gate(peek)], [turn, 'Ok.'])
  let now = await say('Read.')
  const asked: unknown[] = []
  for (let count = 0; count < 20 && now.asked[0] !== undefined; count++) {
    asked.push(now.asked[0].request.input)
    now = await resume({ id: now.asked[0].id, action: 'approve' })
  }
  expect(now.told).toHaveLength(3)
  expect([asked.toSorted(), log.toSorted()]).toEqual([files, files])
})

test('a read of the same step gives the same result when its node runs again; one that failed is made again [T15]', async () => {
  const log: string[] = []
  const { peek } = reading((file) => {
    log.push(file)
    if (file === 'b' && log.filter((each) => each === 'b').length === 1) raise(file)
    return `${file}, reading ${log.length}`
  })
  const pay = gate(tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: () => 'paid' }))
  const call = (name: string, id: string) => ({ id, name, args: { input: id } })
  const { say, resume } = await chat([peek, pay], [[call('peek', 'a'), call('peek', 'b'), call('pay', 'p')], 'Ok.'])
  const [shown] = (await say('Read.')).asked
  expect((await resume({ id: shown?.id, action: 'approve' })).told).toEqual(['a, reading 1', 'b, reading 3', 'paid'])
})

function raise(file: string): never {
  throw new ToolError(`There is no ${file}.`, { code: 'not_found', outcome: 'failed' })
}

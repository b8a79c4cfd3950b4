import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tool } from '../../tool/tool.ts'
import { pipelineFiles, toolFiles } from './part-files.ts'
import { partName } from './part-name.ts'

test.each([
  ['send_mail', { tool: 'send_mail', file: 'send-mail', constant: 'sendMail' }],
  ['send-mail', { tool: 'send_mail', file: 'send-mail', constant: 'sendMail' }],
  ['sendMail', { tool: 'send_mail', file: 'send-mail', constant: 'sendMail' }],
  ['delete', { tool: 'delete', file: 'delete', constant: 'deleteTool' }],
  ['tool', { tool: 'tool', file: 'tool', constant: 'toolTool' }],
  ['v2_x', { tool: 'v2_x', file: 'v2-x', constant: 'v2X' }],
])('%s is written in three ways', (given, wanted) => {
  expect(partName(given)).toEqual(wanted)
})

test('a name is one that a tool accepts and a file can have, or it is refused', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[A-Za-z][\w-]{0,70}$/)), (given) => {
      let name
      try {
        name = partName(given)
      } catch {
        return
      }
      tool({ name: name.tool, description: 'x', execute: () => 'x' })
      expect(name.file).toMatch(/^[a-z0-9-]+$/)
      // oxlint-disable-next-line typescript/no-implied-eval
      expect(new Function(`const ${name.constant} = 1; return ${name.constant}`)()).toBe(1)
      for (const files of [toolFiles, pipelineFiles])
        for (const [, step = ''] of files(name, './x.ts', { hasZod: true, hasVitest: false }).source.matchAll(/name: '([^']+)'/g))
          tool({ name: step, description: 'x', execute: () => 'x' })
    }),
  )
})

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type ModelTurn, scriptedModel } from '../../test/fixtures/scripted-language-model.ts'
import { outputRouter } from '../context/output-router.ts'
import { memoryJournal } from '../tool/journal/journal.ts'
import type { ContentPart } from '../tool/result/result.ts'
import { success } from '../tool/result/returned.ts'
import { tool } from '../tool/tool.ts'
import { agent, type AgentOptions } from './agent.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000a0000000a', 'hex').toString('base64')
const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const
const sound = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' } as const
const page = { type: 'resource', uri: 'file:///a.pdf', mimeType: 'application/pdf', data: 'JVBERi0=' } as const
const LARGE = Buffer.from(Array.from({ length: 15_000 }, (_, at) => (at * at + 31 * at) % 251)).toString('base64')

const script: readonly ModelTurn[] = [{ calls: [['look', { at: 'map' }]] }, 'A map.']

function looker(content: readonly ContentPart[], options: Partial<AgentOptions<undefined>> = {}) {
  const look = tool({
    name: 'look',
    description: 'Takes a picture.',
    effect: 'read',
    inputSchema: z.object({ at: z.string() }),
    execute: ({ at }) => success(at, { text: `A picture of the ${at}.`, content }),
  })
  const { model, requests } = scriptedModel(({ prompt }) => script[prompt.filter(({ role }) => role === 'assistant').length] ?? 'Done.')
  const built = agent({ name: 'looker', role: 'Looker', goal: 'Look.', model, tools: [look], ...options })
  const outputs = () => {
    const message = requests[1]?.prompt.at(-1)
    return message?.role === 'tool' ? message.content.map((part) => (part.type === 'tool-result' ? part.output : undefined)) : []
  }
  return { looker: built, model, requests, outputs }
}

const file = (data: string, mediaType: string) => ({ type: 'file', data: { type: 'data', data }, mediaType })

describe('files of results', () => {
  test('reach a model that takes them, and it is told of the others [T18]', async () => {
    const { looker: it, outputs } = looker([image, sound, page], { media: ['image/*', 'application/pdf'] })
    expect(await it.run('Look.')).toMatchObject({ ok: true, text: 'A map.' })
    expect(outputs()).toEqual([
      {
        type: 'content',
        value: [
          { type: 'text', text: 'A picture of the map.\n[Not shown: audio/wav.]' },
          file(PNG, 'image/png'),
          file(page.data, 'application/pdf'),
        ],
      },
    ])
  })

  test('do not reach a model that was not said to take them', async () => {
    const { looker: it, outputs } = looker([image])
    await it.run('Look.')
    expect(outputs()).toEqual([{ type: 'text', value: 'A picture of the map.\n[Not shown: image/png.]' }])
  })

  test.each([
    ['v2', [{ type: 'media' }, { type: 'media' }]],
    ['v3', [{ type: 'image-data' }, { type: 'file-data' }]],
  ] as const)('have the form of the specification %s of the model', async (version, types) => {
    const { model, outputs, requests } = looker([image, page])
    const old = { ...model, specificationVersion: version }
    const { looker: it } = looker([image, page], { media: ['*/*'], model: old })
    await it.run('Look.')
    expect(requests).toHaveLength(2)
    expect(outputs()).toMatchObject([{ type: 'content', value: [{ type: 'text' }, ...types] }])
    expect(JSON.stringify(outputs())).toContain(`"data":"${PNG}","mediaType":"image/png"`)
  })

  test('go through a router: within its budget, recorded, and stored when they must make room [R4] [R6]', async () => {
    const router = outputRouter({ budget: { window: 4000, maxOutput: 1500 } })
    const { looker: it, outputs } = looker([image, { ...page, data: LARGE }], { media: ['*/*'], router })
    const journal = memoryJournal()
    const result = await it.asTool().call({ task: 'Look.' }, { journal, idempotencyKey: 'one' })
    expect(result.ok).toBe(true)
    const [output] = outputs()
    expect(output).toMatchObject({ type: 'content', value: [{ type: 'text' }, file(PNG, 'image/png')] })
    const text = JSON.stringify(output)
    expect(text).toMatch(/pointer=\\"out_\d+/)
    expect(text).not.toContain(LARGE.slice(2000, 2100))
    const replayed = await it.asTool().call({ task: 'Look.' }, { journal: memoryJournal(journal.entries), idempotencyKey: 'one' })
    expect(replayed.ok && replayed.value.messages).toEqual(result.ok && result.value.messages)
  })

  test('are told by media types', () => {
    expect(() => looker([], { media: ['images'] })).toThrow("must be media types, such as ['image/*', 'application/pdf']")
  })
})

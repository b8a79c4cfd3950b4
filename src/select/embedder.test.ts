import { expect, test } from 'vitest'
import { tool } from '../tool/tool.ts'
import { catalog } from './catalog.ts'
import { embedder, type EmbedderFailure, type EmbeddingModelLike } from './embedder.ts'

/** Texts about the same subject point the same way, in any language. A little of all of them points one way, as in real models. */
const SUBJECTS = [/rain|weather|wetter|regen/i, /refund|pays|order|rückerstattung/i, /song|music|lied/i]
const vectorOf = (text: string): number[] => {
  const subjects = SUBJECTS.map((subject) => (subject.test(text) ? 1 : 0))
  return [0.5, ...subjects, subjects.some((each) => each === 1) ? 0 : 1, 0.01 * (text.length % 7)]
}

function model(change: (values: string[], signal: AbortSignal | undefined) => unknown = () => undefined) {
  const asked: string[][] = []
  const made: EmbeddingModelLike = {
    modelId: 'test-model',
    maxEmbeddingsPerCall: 2,
    doEmbed: async ({ values, abortSignal }) => {
      asked.push(values)
      return ((await change(values, abortSignal)) ?? { embeddings: values.map(vectorOf) }) as { embeddings: number[][] }
    },
  }
  return { made, asked }
}

const make = (name: string, description: string, permissions: readonly string[] = []) =>
  tool({ name, description, effect: 'read', permissions, execute: () => name })
const TOOLS = [
  make('forecast', 'Tells the weather of a place.'),
  make('issue_refund', 'Pays an order back.'),
  make('play', 'Plays a song.'),
]

test('a model of the user finds what words and the vectors of the package do not, and is asked once for a text', async () => {
  const { made, asked } = model()
  const tools = await catalog(TOOLS, { vectors: embedder(made) })
  expect(asked.map((values) => values.length)).toEqual([2, 1])
  const found = await tools.select('Wie wird das Wetter, kommt Regen?')
  expect(found.vectors).toBe('model')
  expect(found.tools[0]?.tool.name).toBe('forecast')
  const before = asked.length
  expect((await tools.select('Wie wird das Wetter, kommt Regen?')).tools).toEqual(found.tools)
  expect(asked).toHaveLength(before)
  expect((await tools.select('Rückerstattung bitte')).tools[0]?.tool.name).toBe('issue_refund')
  expect((await tools.select('xqzt')).nothingFits).toBe(true)
  tools.remove('forecast')
  expect((await tools.select('Wie wird das Wetter, kommt Regen?')).tools.map((each) => each.tool.name)).not.toContain('forecast')
})

test('a model that fails, answers nonsense or is late is left out, and that is said; later it is tried again', async () => {
  const failures: EmbedderFailure[] = []
  const onFailure = (failure: EmbedderFailure): void => void failures.push(failure)
  const ways: [string, () => unknown][] = [
    ['failed', () => Promise.reject(new Error('quota'))],
    ['too few', () => ({ embeddings: [] })],
    ['no numbers', () => ({ embeddings: [['x'], ['y']] })],
    ['late', () => new Promise(() => {})],
  ]
  for (const [way, change] of ways) {
    const plain = await (await catalog(TOOLS)).select('will it rain')
    const tools = await catalog(TOOLS, { vectors: embedder(model(change).made, { timeout: 2, onFailure }) })
    const { vectors, ...found } = await tools.select('will it rain')
    expect([way, vectors, found]).toEqual([way, 'own', plain])
  }
  expect(failures).toHaveLength(4)
  expect(failures.map(({ message }) => message).join()).toMatch(/quota.*gave 0 vectors.*no number.*did not answer in time/)
})

test('tools that a caller may not see change nothing, and a listener that throws neither', async () => {
  const { made } = model()
  const secret = [make('secret_forecast', 'Tells the secret weather.', ['x']), make('secret_song', 'Plays a secret song.', ['x'])]
  const whole = await catalog([...secret, ...TOOLS], { vectors: embedder(made) })
  const part = await catalog(TOOLS, { vectors: embedder(made) })
  for (const request of ['rain', 'Wetter', 'pays an order', 'Lied und Regen', 'nothing of it'])
    expect(await whole.select(request)).toEqual(await part.select(request))
  const thrown = embedder(model(() => Promise.reject(new Error('down'))).made, {
    onFailure: () => {
      throw new Error('listener')
    },
  })
  expect((await (await catalog(TOOLS, { vectors: thrown })).select('rain')).vectors).toBe('own')
})

test('what is no embedding model, and misspelt options, are refused', () => {
  expect(() => embedder({} as never)).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  expect(() => embedder(model().made, { timeot: 1 } as never)).toThrow(expect.objectContaining({ code: 'invalid_option' }))
})

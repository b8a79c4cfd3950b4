import assert from 'node:assert/strict'
import { compare } from './story.ts'

const { byModel, byPipeline } = await compare()
assert.equal(byModel.answer, 'It costs 164.989 with tax.')
assert.equal(byPipeline.answer, byModel.answer)
const row = (name: string, calls: number, tokens: number): string =>
  `${name.padEnd(28)} ${String(calls).padStart(11)} ${String(tokens).padStart(7)}`
process.stdout.write(
  [
    'the same job, the same answer  model calls  tokens',
    row('three tools and a model', byModel.modelCalls, byModel.tokens),
    row('one pipeline', byPipeline.modelCalls, byPipeline.tokens),
    `${((1 - byPipeline.tokens / byModel.tokens) * 100).toFixed(0)}% fewer tokens`,
    '',
  ].join('\n'),
)

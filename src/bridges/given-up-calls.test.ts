import { RunContext } from '@openai/agents'
import type { ModelMessage } from 'ai'
import { describe, expect, test } from 'vitest'
import { desk, runner } from '../../test/fixtures/openai-agents/agent-desk.ts'
import { gate } from '../combinators/gate/gate.ts'
import { tool } from '../tool/tool.ts'
import { toAiSdk } from './ai-sdk/to-ai-sdk.ts'
import { ParkedCall } from './parked-call.ts'
import { toLangChain } from './langchain/to-lang-chain.ts'

const given = () => AbortSignal.abort(new Error('I changed my mind.'))

function notes() {
  const noted: string[] = []
  const note = tool({ name: 'note', description: 'Notes.', effect: 'write', execute: (text) => (noted.push(String(text)), 'Noted.') })
  return { noted, note }
}

/** The peer has given the call up before it comes to us: a run that begins at once would take effect before it hears of that. */
describe('a call that was given up before it began takes no effect', () => {
  test('of any bridge', async () => {
    const { noted, note } = notes()
    const call = new ParkedCall((options) => note.call('x', options), { signal: given() })
    expect(await call.nextStop()).toMatchObject({ result: { ok: false, error: { code: 'cancelled', outcome: 'not_started' } } })
    expect(noted).toEqual([])
  })

  test('of OpenAI Agents [T10]', async () => {
    const { noted, note } = notes()
    const { named } = await desk([note], [])
    const toolCall = { type: 'function_call', callId: 'c1', name: 'note', arguments: '{"input":"x"}' } as const
    expect(await named['note']?.invoke(new RunContext(), toolCall.arguments, { toolCall, signal: given() })).toContain('Error: ')
    expect(noted).toEqual([])
  })

  test('of OpenAI Agents, though a person has approved it [T14]', async () => {
    const { noted, note } = notes()
    const { agent, named } = await desk([gate(note)], [[{ id: 'c1', name: 'note', args: { input: 'x' } }], 'Well.'])
    const { state, interruptions } = await runner.run(agent, 'Note.')
    state.approve(interruptions[0]!)
    const toolCall = { type: 'function_call', callId: 'c1', name: 'note', arguments: '{"input":"x"}' } as const
    await named['note']?.invoke(state._context, toolCall.arguments, { toolCall, signal: given() })
    expect(noted).toEqual([])
  })

  test('of the AI SDK, when it is executed [T10]', async () => {
    const { noted, note } = notes()
    const { tools, toolApproval } = toAiSdk({ note })
    expect(await toolApproval.note({ input: 'x' }, { toolCallId: 'c1', messages: [] })).toBeUndefined()
    const calling = { toolCallId: 'c1', messages: [], abortSignal: given(), context: {} }
    await expect(Promise.resolve(tools.note.execute({ input: 'x' }, calling))).rejects.toThrow('did not start')
    expect(noted).toEqual([])
  })

  test('of the AI SDK, when it asks whether a person must approve [T14]', async () => {
    const { noted, note } = notes()
    const { tools, toolApproval } = toAiSdk({ note: gate(note, { approval: () => false }) })
    const messages: ModelMessage[] = []
    await tools.note.onInputAvailable?.({ input: { input: 'x' }, toolCallId: 'c1', messages, abortSignal: given(), context: {} })
    expect(await toolApproval.note({ input: 'x' }, { toolCallId: 'c1', messages })).toBeUndefined()
    expect(noted).toEqual([])
  })

  test('of LangChain [T10]', async () => {
    const { noted, note } = notes()
    const { named } = await toLangChain({ note })
    await named.note.invoke({ input: 'x' }, { signal: given() }).catch((error: unknown) => error)
    expect(noted).toEqual([])
  })
})

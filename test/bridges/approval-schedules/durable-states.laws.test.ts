import { Agent, RunState } from '@openai/agents'
import fc from 'fast-check'
import { createRuntime, gate, pipe, type Runtime, tool } from 'toolwright'
import { toOpenAiAgents } from 'toolwright/openai-agents'
import { memoryRuns } from 'toolwright/testing'
import { expect, test } from 'vitest'
import { runner } from '../../fixtures/openai-agents/agent-desk.ts'
import { ScriptedAgentModel } from '../../fixtures/openai-agents/scripted-agent-model.ts'

/** A state as a program has stored it, with the requests that a person was shown in it. */
interface StoredState {
  readonly text: string
  readonly shown: ReadonlySet<string>
}

type Step =
  | { readonly do: 'resume'; readonly which: number; readonly answer: 'approve' | 'reject' | 'leave' }
  | { readonly do: 'restart' }
  | { readonly do: 'cancel' }

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('resume' as const),
        which: fc.nat(5),
        answer: fc.constantFrom('approve' as const, 'approve' as const, 'leave' as const, 'leave' as const, 'reject' as const),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const) }) },
  ),
  { minLength: 1, maxLength: 7 },
)

/** What happens in a durable call, by the number that its first step draws, so that no two runs are alike. */
class Ledger {
  readonly problems: string[] = []
  /** The effects that a person has approved. */
  readonly approved = new Set<string>()
  readonly #done = new Set<string>()
  #drawn = 0

  readonly pay = pipe.named({ name: 'pay', description: 'd' })(
    tool({ name: 'draw', description: 'd', effect: 'write', execute: () => this.#draw() }),
    gate(this.#effect('give'), { why: (input) => `give ${input}` }),
    gate(this.#effect('send'), { why: (input) => `send ${input}` }),
  )

  #draw(): string {
    if (this.#drawn > 0) this.problems.push('the call begins anew')
    return `${++this.#drawn}`
  }

  #effect(name: string) {
    return tool({
      name,
      description: 'd',
      effect: 'write',
      execute: (input: string) => {
        const effect = `${name} ${input}`
        if (this.#done.has(effect)) this.problems.push(`${effect} happens twice`)
        if (!this.approved.has(effect)) this.problems.push(`${effect} happens, and nobody has approved it`)
        this.#done.add(effect)
        return input
      },
    })
  }
}

/** One process after the other, on one database. */
async function play(schedule: readonly Step[]): Promise<readonly string[]> {
  const ledger = new Ledger()
  const database = memoryRuns()
  const runtimes: Runtime[] = []
  const begun = async () => {
    const runtime = createRuntime({ tools: [ledger.pay], database })
    runtimes.push(runtime)
    const { tools, reviews } = await toOpenAiAgents([ledger.pay], { runtime, session: 'chat' })
    const model = new ScriptedAgentModel([{ id: 'c1', name: 'pay', args: { input: 'x' } }], 'Done.')
    return { runtime, reviews, agent: new Agent({ name: 'Desk', model, tools }) }
  }
  let at = await begun()
  const stored: StoredState[] = []
  const ran = async (given: string | RunState<unknown, typeof at.agent>): Promise<void> => {
    const { state, interruptions } = await runner.run(at.agent, given)
    if (interruptions.length === 0) return
    const requests = (await Promise.all(interruptions.map((each) => at.reviews.requests(each, state)))).flat()
    if (requests.length === 0) ledger.problems.push('an interruption shows nothing')
    stored.push({ text: state.toString(), shown: new Set(requests.map(({ why }) => why)) })
  }
  const open = async (): Promise<readonly string[]> => (await at.runtime.inbox.list()).map(({ request }) => request.why)
  const resume = async ({ text, shown }: StoredState, answer: 'approve' | 'reject' | 'leave'): Promise<void> => {
    const state = await RunState.fromString(at.agent, text)
    const [item] = state.getInterruptions()
    if (item === undefined) return
    const counting = answer === 'approve' ? (await open()).filter((each) => shown.has(each)) : []
    if (answer === 'approve') {
      for (const each of shown) ledger.approved.add(each)
      state.approve(item)
    } else if (answer === 'reject') state.reject(item)
    await ran(state)
    const after = await open()
    if (counting.some((each) => after.includes(each))) ledger.problems.push('an approval of what waits does not count')
  }
  await ran('Go.')
  for (const each of schedule) {
    if (each.do === 'restart') at = await begun()
    else if (each.do === 'cancel') {
      const run = (await at.runtime.inbox.list())[0]?.run
      const handle = run === undefined ? undefined : await at.runtime.run(run)
      await handle?.cancel('Not this one.')
      await handle?.result()
    } else await resume(stored[each.which % stored.length] as StoredState, each.answer)
  }
  await Promise.all(runtimes.map((each) => each.close()))
  return ledger.problems
}

test('durable calls of OpenAI Agents take effect once, if a person approved exactly this, whatever is resumed, cancelled or restarted [T14] [T15]', async () => {
  let played = 0
  const law = fc.asyncProperty(steps, async (schedule) => {
    expect(await play(schedule)).toEqual([])
    played++
  })
  await fc.assert(law, { numRuns: 150, seed: 20_261_118 })
  expect(played).toBe(150)
}, 120_000)

import { tool } from 'toolwright'
import { agent, inPhases, task } from 'toolwright/agent'
import { catalog } from 'toolwright/select'

function untyped(called: unknown): (options: object) => unknown {
  return called as (options: object) => unknown
}

const echo = tool({ name: 'echo', description: 'Says it again.', effect: 'read', execute: (input) => input })
const clerk = { role: 'Clerk', goal: 'Help.', model: 'any/model', tools: [] }
const phases = { name: 'x', phases: [[task({ description: 'x', tool: echo })]] }

/** Of `toolwright/agent`, by the places of `optionPlaces`. */
export const AGENT_MISSPELLERS: Readonly<Record<string, (odd: object) => unknown>> = {
  'agent(options)': (odd) => untyped(agent)({ ...clerk, ...odd }),
  'AgentOptions.catalog': async (odd) => untyped(agent)({ ...clerk, catalog: { from: await catalog([]), ...odd } }),
  'AgentOptions.settings': (odd) => untyped(agent)({ ...clerk, settings: odd }),
  'AgentOptions.limits': (odd) => untyped(agent)({ ...clerk, limits: odd }),
  'AgentOptions.prices': (odd) => untyped(agent)({ ...clerk, prices: { inputPerMillion: 1, outputPerMillion: 1, ...odd } }),
  'Agent.run(options)': (odd) => agent(clerk).run('x', odd),
  'AgentRunOptions.reviewers': (odd) => agent(clerk).run('x', { reviewers: odd }),
  'AgentRunOptions.stores': (odd) => agent(clerk).run('x', { stores: odd }),
  'Agent.stream(options)': (odd) => agent(clerk).stream('x', odd)[Symbol.asyncIterator]().next(),
  'Agent.asTool(options)': (odd) => agent(clerk).asTool(odd),
  'task(options)': (odd) => untyped(task)({ description: 'x', expectedOutput: 'x', agent: agent(clerk), ...odd }),
  'inPhases(options)': (odd) => untyped(inPhases)({ ...phases, ...odd }),
  'InPhasesOptions.estimates': (odd) => untyped(inPhases)({ ...phases, estimates: odd }),
}

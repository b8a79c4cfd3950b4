import type { AgentTool } from '../../tool/agent-tool.ts'
import { repairRules } from './repair-rules.ts'
import type { ProposedInput, RepairRequest } from './repairer.ts'

/** The rules' answer: an input, or why there is none. */
export interface RuledInput {
  readonly proposed?: (ProposedInput & { readonly cost: number; readonly isGuess: boolean }) | undefined
  /** Why nothing is proposed; undefined where the rules found nothing to change. */
  readonly because?: string | undefined
}

/** From this cost on a rule guesses: a slip of the pen, a constant, a number that is moved to its bound. */
const GUESS = 4

/**
 * Other notations of the same input, by the rules of `repairInput`. For a tool that takes effect a guess is left to a person.
 */
export async function repairByRules({ input, schema, tool }: RepairRequest, { effect }: Pick<AgentTool, 'effect'>): Promise<RuledInput> {
  const { repairInput } = await repairRules()
  const repair = repairInput(schema, input, { about: `${tool.name}: ${tool.description}` })
  if (repair.refused) {
    const [proposal] = repair.proposals
    const asked = proposal === undefined ? '' : ` A person may want to change '${proposal.path}' to ${JSON.stringify(proposal.to)}.`
    return { because: `${repair.because}.${asked}` }
  }
  const { value, changes, cost } = repair
  if (changes.length === 0) return {}
  const guess = changes.find((change) => change.cost >= GUESS)
  if (guess !== undefined && effect !== 'read')
    return { because: `a person may want to change '${guess.path}' to ${JSON.stringify(guess.to)} (${guess.rule}).` }
  const why = changes.map(({ path, rule }) => (path === '' ? rule : `${path}: ${rule}`)).join('; ')
  return { proposed: { input: value, why, cost, isGuess: guess !== undefined } }
}

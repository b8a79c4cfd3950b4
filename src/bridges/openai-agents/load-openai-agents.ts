import type * as Agents from '@openai/agents'
import { missingPackage, usablePackage } from '../../tool/missing-package.ts'

export type AgentsLibrary = Pick<typeof Agents, 'tool' | 'Agent' | 'RunContext' | 'RunToolApprovalItem'>

/** Loaded when it is needed, so that the error names it where it is not installed. */
export async function loadOpenAiAgents(): Promise<AgentsLibrary> {
  try {
    return usablePackage(await import('@openai/agents'), NAME, {
      purpose: PURPOSE,
      needs: ['tool', 'Agent', 'RunContext', 'RunToolApprovalItem'],
    })
  } catch (cause) {
    throw missingPackage(cause, NAME, PURPOSE)
  }
}

const NAME = '@openai/agents'
const PURPOSE = 'to share tools with agents of OpenAI'

/**
 * A rule of the SDK that asks nobody. The SDK knows its own rules: for any other one, it asks a person about arguments that are not JSON, before
 * the model is told.
 */
export function nobodyApproves({ tool }: AgentsLibrary): () => Promise<boolean> {
  const made = tool({
    name: 'nobody',
    description: '',
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
    strict: true,
    execute: () => '',
    needsApproval: false,
  })
  return made.needsApproval as () => Promise<boolean>
}

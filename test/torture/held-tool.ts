import { existsSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ToolPipeline } from '../../src/combinators/pipe/tool-pipeline.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { tool } from '../../src/tool/tool.ts'

/** A file of this name in the folder lets steps of the name end, in every process. */
export function letGoFile(folder: string, name: string): string {
  return join(folder, `let-go-${name}`)
}

/** Every execution of a step stands here: name, process, key. */
export function executionsFile(folder: string): string {
  return join(folder, 'executions')
}

/** Two steps; the first waits for a file. Each gives the process in which it ran. */
export function heldTool(folder: string): AgentTool<string, string> {
  const step = (name: string, isHeld: boolean): AgentTool<string, string> =>
    tool({
      name,
      description: 'Takes effect, and waits until it is let go.',
      effect: 'write',
      idempotent: 'keyed',
      execute: async (input, { idempotencyKey }) => {
        await appendFile(executionsFile(folder), `${name} ${process.pid} ${idempotencyKey}\n`)
        // A process that was stopped looks at once when it goes on.
        while (isHeld && !existsSync(letGoFile(folder, input))) await pause(20)
        return isHeld ? input : `${process.pid}`
      },
    })
  return ToolPipeline.of('held', 'Waits, and then acts.', step('wait', true), step('act', false))
}

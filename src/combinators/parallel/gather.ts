import type { Call } from '../../tool/calls/call.ts'
import type { ToolResult } from '../../tool/result.ts'
import type { Branch, ParallelPlan } from './branch.ts'
import { cancelBranches } from './cancel-branches.ts'
import { startBranch } from './start-branch.ts'

/** Runs every branch to its end. What is fatal in one cancels the others, and passes when they have ended. */
export function gather({ branches, limit }: ParallelPlan, input: unknown, call: Call): Promise<readonly ToolResult[]> {
  const isApart = sharesScope(call)
  const start = { input, isApart }
  const cancel = (): void => (isApart ? cancelBranches(call) : call.scope.close({ kind: 'cancelled' }))
  if (limit < branches.length) return inTurns(branches, limit, { run: (branch) => startBranch(call, branch, start), cancel })
  return untilFatal(
    branches.map((branch) => startBranch(call, branch, start)),
    cancel,
  )
}

/** Then the scope is not this call's to close: others work in it, and whoever cleans up after something fatal does so in it. */
function sharesScope({ parent, scope }: Call): boolean {
  return parent !== undefined && parent.scope === scope
}

async function untilFatal<T>(running: readonly Promise<T>[], cancel: () => void): Promise<readonly T[]> {
  try {
    return await Promise.all(running)
  } catch (fatal) {
    cancel()
    await Promise.allSettled(running)
    throw fatal
  }
}

interface Turns {
  readonly run: (branch: Branch) => Promise<ToolResult>
  readonly cancel: () => void
}

/** Begins the branches in their order, each when one before it has ended. */
async function inTurns(branches: readonly Branch[], limit: number, { run, cancel }: Turns): Promise<readonly ToolResult[]> {
  const results: ToolResult[] = []
  const waiting = branches.entries()
  let isOver = false
  const takeTurns = async (): Promise<void> => {
    for (const [index, branch] of waiting) {
      results[index] = await run(branch)
      if (isOver) return
    }
  }
  await untilFatal(Array.from({ length: limit }, takeTurns), () => {
    isOver = true
    cancel()
  })
  return results
}
